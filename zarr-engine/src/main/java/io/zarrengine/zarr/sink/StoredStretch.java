package io.zarrengine.zarr.sink;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.pipeline.ChunkPipeline;

/**
 * A run of a file that holds chunks and has not been read yet.
 *
 * @param file open; not closed during the call that gets this stretch
 * @param offset of the stretch in the file, in bytes
 * @param bytes length of the stretch
 * @param pipeline decodes the chunks
 * @param chunks the chunks and their wanted parts
 * @param block the block of the only chunk that this is; null if the stretch holds whole chunks
 */
public record StoredStretch(
        FileHandle file,
        long offset,
        long bytes,
        ChunkPipeline pipeline,
        StretchChunks chunks,
        ChunkBlock block) {}
