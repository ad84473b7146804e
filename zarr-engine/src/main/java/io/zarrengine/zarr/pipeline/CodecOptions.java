package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.extension.CodecProvider;
import java.util.List;

/**
 * Options for parsing pipelines.
 *
 * @param providers know codecs that are not built in
 * @param forWriting whether chunks will be encoded; then fields for encoders must be valid
 */
record CodecOptions(List<CodecProvider> providers, boolean forWriting) {}
