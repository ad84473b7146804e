package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.extension.CodecProvider;
import java.util.List;

/**
 * What pipelines are made for.
 *
 * @param providers know codecs that are not built in
 * @param forWriting whether chunks are to be encoded: then what only encoders need must be valid
 */
record CodecOptions(List<CodecProvider> providers, boolean forWriting) {}
