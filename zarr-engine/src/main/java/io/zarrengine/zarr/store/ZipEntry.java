package io.zarrengine.zarr.store;

/**
 * A file inside of a zip file, as the central directory describes it. It lies inside of the zip
 * file, if its local header is as long as its name says. Threads: any.
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
    private volatile long dataOffset = -1; // not known yet

    /**
     * How large it is.
     *
     * @param stored its size in the zip file, in bytes
     * @param bytes its size
     * @param crc32 of its bytes
     */
    record Sizes(long stored, long bytes, int crc32) {}

    /**
     * Describes a file.
     *
     * @param name its path
     * @param nameBytes length of that in the zip file, in bytes
     * @param headerOffset where its local header begins in the zip file, in bytes
     * @param sizes how large it is
     * @param method how it is compressed
     * @param flags general purpose bit flags
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

    /** {@return where its bytes begin in the zip file; -1 if its local header was not read yet} */
    long dataOffset() {
        return dataOffset;
    }

    /** Keeps what its local header says. */
    void dataOffset(long newOffset) {
        dataOffset = newOffset;
    }
}
