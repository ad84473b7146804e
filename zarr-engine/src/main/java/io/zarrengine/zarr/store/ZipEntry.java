package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A file in a zip file, as described by the central directory. Its bytes follow its local header,
 * whose extra fields only the header itself knows: none, if nothing else fits before what follows
 * in the zip file. Threads: any.
 */
final class ZipEntry {
    static final int METHOD_STORED = 0;
    static final int METHOD_DEFLATED = 8;
    private static final int FLAG_ENCRYPTED = 1;

    /** Enough for what writers put there: times, owners, an alignment to a page. */
    private static final int EXTRA_BYTES_LIKELY = 4 << 10;

    private final String name;
    private final int nameBytes;
    private final long headerOffset;
    private final Sizes sizes;
    private final int method;
    private final int flags;
    private long end; // where something else begins in the zip file; set before others see this
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

    long headerOffset() {
        return headerOffset;
    }

    /** {@return the size of its local header without the extra fields} */
    int headerBytes() {
        return ZipDirectory.HEADER_BYTES + nameBytes;
    }

    /**
     * {@return how much to read from its local header on, to have all of its bytes: enough, unless
     * its extra fields are longer than is usual}
     */
    long likelyBytes() {
        long least = headerBytes() + sizes.stored();
        return least + Math.min(EXTRA_BYTES_LIKELY, end - headerOffset - least);
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

    /**
     * Notes where the next header or the directory begins, or the zip file ends. Called before
     * other threads see this, at least once, with the end of the zip file.
     *
     * @param next an offset in the zip file, in bytes; without a meaning if it lies before the end
     *     of this file
     * @param isExact whether offsets are as the directory states them; otherwise bytes may have
     *     been lost or added anywhere, and only the local header shows where the file is
     */
    void endsBefore(long next, boolean isExact) {
        long least = headerOffset + headerBytes() + sizes.stored();
        if (next >= least) {
            end = next;
        }
        if (isExact && next == least) {
            dataOffset = headerOffset + headerBytes();
        }
    }

    /** {@return the offset of its bytes in the zip file; -1 until it is known} */
    long dataOffset() {
        return dataOffset;
    }

    /**
     * Finds the offset of its bytes.
     *
     * @param bytes what the zip file has from {@link #headerOffset} on, at least {@link
     *     #headerBytes}
     * @param zipBytes size of the zip file
     * @throws IOException if its local header is not there
     */
    void locate(byte[] bytes, long zipBytes) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        String found =
                new String(bytes, ZipDirectory.HEADER_BYTES, nameBytes, StandardCharsets.UTF_8);
        boolean isHeader =
                header.getInt(0) == ZipDirectory.HEADER_SIGNATURE
                        && Short.toUnsignedInt(header.getShort(26)) == nameBytes
                        && found.equals(name);
        if (!isHeader) {
            throw new IOException("the zip file is damaged: it is not at byte " + headerOffset);
        }
        int extraBytes = Short.toUnsignedInt(header.getShort(28));
        long offset = headerOffset + headerBytes() + extraBytes;
        if (sizes.stored() > zipBytes - offset) {
            throw new IOException("the zip file is damaged: it ends behind the zip file");
        }
        dataOffset = offset;
    }
}
