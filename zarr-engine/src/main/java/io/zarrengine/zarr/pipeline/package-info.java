/** Chunk pipelines: parses, checks and orders the codecs in the metadata. */
package io.zarrengine.zarr.pipeline;
