/**
 * Chunk pipelines: what the codecs in the metadata make of a chunk, parsed, checked and put in
 * order.
 */
package io.zarrengine.zarr.pipeline;
