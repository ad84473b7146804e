package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a chunk is stored.
 *
 * @param path names the chunk, in messages
 * @param file the open file that holds it, retained for whoever asked
 * @param offset where the chunk begins in the file, in bytes
 * @param bytes its size there
 * @param deflated what a zip file compressed; empty if the bytes there are the encoded chunk
 */
public record ChunkLocation(
        Path path, FileHandle file, long offset, long bytes, Optional<Deflated> deflated) {
    /**
     * A chunk before a zip file compressed it.
     *
     * @param bytes its encoded size
     * @param crc32 of those bytes
     */
    public record Deflated(long bytes, int crc32) {}
}
