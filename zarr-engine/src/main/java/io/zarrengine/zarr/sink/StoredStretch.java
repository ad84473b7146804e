package io.zarrengine.zarr.sink;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.pipeline.ChunkPipeline;

/**
 * A run of a file that holds chunks, before anybody has read it.
 *
 * @param file open, and not closed during the call that this is passed to
 * @param offset where it begins, in bytes
 * @param bytes its length
 * @param pipeline how its chunks are encoded
 * @param chunks what is wanted of it
 * @param block what of its only chunk it is; null: it holds whole chunks
 */
public record StoredStretch(
        FileHandle file,
        long offset,
        long bytes,
        ChunkPipeline pipeline,
        StretchChunks chunks,
        ChunkBlock block) {}
