package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import java.nio.file.Path;

/**
 * Where a chunk is stored.
 *
 * @param path names the chunk, in messages
 * @param file the open file that holds it, retained for whoever asked
 * @param offset where the chunk begins in the file, in bytes
 * @param bytes its encoded size
 */
public record ChunkLocation(Path path, FileHandle file, long offset, long bytes) {}
