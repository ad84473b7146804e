package io.zarrengine.zarr.store;

/**
 * A file in a zip file, as described by the central directory. Its bytes are known to be inside the
 * zip file if its local header has no extra fields. Threads: any.
 */
final class ZipEntry {
    static final int METHOD_STORED = 0;
    static final int METHOD_DEFLATED = 8;
    private static final int FLAG_ENCRYPTED = 1;

    private final String name;
    private final int nameBytes;
    private final long headerOffset;
    private final Sizes sizes;
    private final int method;
    private final int flags;
    private volatile long dataOffset = -1; // -1 until the local header was read

    /**
     * The sizes and checksum of a file.
     *
     * @param stored size in the zip file, in bytes
     * @param bytes size after decompression, in bytes
     * @param crc32 CRC-32 of the decompressed bytes
     */
    record Sizes(long stored, long bytes, int crc32) {}

    /**
     * Creates an entry.
     *
     * @param name its path
     * @param nameBytes length of the name in the zip file, in bytes
     * @param headerOffset offset of its local header in the zip file, in bytes
     * @param sizes its sizes and checksum
     * @param method the compression method
     * @param flags the general purpose bit flags
     */
    ZipEntry(String name, int nameBytes, long headerOffset, Sizes sizes, int method, int flags) {
        this.name = name;
        this.nameBytes = nameBytes;
        this.headerOffset = headerOffset;
        this.sizes = sizes;
        this.method = method;
        this.flags = flags;
    }

    String name() {
        return name;
    }

    int nameBytes() {
        return nameBytes;
    }

    long headerOffset() {
        return headerOffset;
    }

    Sizes sizes() {
        return sizes;
    }

    int method() {
        return method;
    }

    boolean isEncrypted() {
        return (flags & FLAG_ENCRYPTED) != 0;
    }

    /** {@return the offset of its bytes in the zip file; -1 until its local header was read} */
    long dataOffset() {
        return dataOffset;
    }

    /** Stores the offset found in its local header. */
    void dataOffset(long newOffset) {
        dataOffset = newOffset;
    }
}
