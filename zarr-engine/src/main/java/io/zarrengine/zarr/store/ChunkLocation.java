package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The location of a stored chunk.
 *
 * @param path the path of the chunk, for messages
 * @param file the open file that holds it, retained for the caller
 * @param offset offset of the chunk in the file, in bytes
 * @param bytes its size in the file, in bytes
 * @param deflated the chunk before the zip file compressed it; empty if the stored bytes are the
 *     encoded chunk
 */
public record ChunkLocation(
        Path path, FileHandle file, long offset, long bytes, Optional<Deflated> deflated) {
    /**
     * An encoded chunk before a zip file compressed it.
     *
     * @param bytes its size in bytes
     * @param crc32 CRC-32 of its bytes
     */
    public record Deflated(long bytes, int crc32) {}
}
