package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import java.util.List;
import java.util.function.Supplier;

/**
 * A run of a file that holds chunks, before anybody has read it.
 *
 * @param file open, and not closed during the call that this is passed to
 * @param offset where it begins, in bytes
 * @param bytes its length
 * @param pipeline how its chunks are encoded
 * @param chunks makes what is wanted of it; at least one
 */
public record StoredStretch(
        FileHandle file,
        long offset,
        long bytes,
        ChunkPipeline pipeline,
        Supplier<List<Chunk>> chunks) {
    /**
     * A chunk in it.
     *
     * @param offset where it begins in the stretch, in bytes
     * @param bytes its encoded size
     * @param parts the positions wanted, in the chunk's encoded dimensions; at least one
     * @param label what the chunk is, for messages
     */
    public record Chunk(long offset, long bytes, List<Region> parts, Supplier<String> label) {}
}
