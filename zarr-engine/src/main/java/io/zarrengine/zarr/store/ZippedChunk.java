package io.zarrengine.zarr.store;

import io.zarrengine.uring.FileHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A chunk in a zip file, whose offset may have to be read first. Threads: any. */
public final class ZippedChunk {
    private final Path path;
    private final ZipEntry entry;
    private final Optional<ChunkLocation.Deflated> deflated;

    ZippedChunk(Path path, ZipEntry entry, Optional<ChunkLocation.Deflated> deflated) {
        this.path = path;
        this.entry = entry;
        this.deflated = deflated;
    }

    /** {@return whether the offset of its bytes is known; else its local header has to be read} */
    public boolean isLocated() {
        return entry.dataOffset() >= 0;
    }

    /** {@return the offset of its local header in the zip file, in bytes} */
    public long headerOffset() {
        return entry.headerOffset();
    }

    /** {@return how many bytes to read there to learn its offset} */
    public long headerBytes() {
        return entry.headerBytes();
    }

    /** {@return how many bytes to read there to have, most likely, all of the chunk too} */
    public long likelyBytes() {
        return entry.likelyBytes();
    }

    /**
     * Learns its offset from its local header.
     *
     * @param bytes what the zip file has from {@link #headerOffset} on, at least {@link
     *     #headerBytes}
     * @param zipBytes size of the zip file
     * @throws IOException if the local header is not there
     */
    public void locate(byte[] bytes, long zipBytes) throws IOException {
        entry.locate(bytes, zipBytes);
    }

    /**
     * {@return its location; at its local header as long as its offset is not known}
     *
     * @param file the zip file, retained for whoever gets the location
     */
    public ChunkLocation in(FileHandle file) {
        long offset = isLocated() ? entry.dataOffset() : entry.headerOffset();
        return new ChunkLocation(path, file, offset, entry.sizes().stored(), deflated);
    }
}
