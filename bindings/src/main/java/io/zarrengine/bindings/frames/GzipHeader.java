package io.zarrengine.bindings.frames;

/**
 * The header of a gzip member.
 *
 * @param bytes its size, and so the offset of the deflate stream; beyond the end of a truncated
 *     member
 * @param isDeflate whether the method is deflate
 * @param hasReservedFlag whether a reserved flag is set
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952#section-2.3">RFC 1952, 2.3</a>
 */
public record GzipHeader(long bytes, boolean isDeflate, boolean hasReservedFlag) {
    /** Size of the shortest header. */
    public static final int BYTES_MIN = 10;

    /** Size of the trailer after the deflate stream: CRC-32, and the decoded size. */
    public static final int TRAILER_BYTES = 8;

    private static final int MAGIC_NUMBER = 0x8b1f;
    private static final int DEFLATE = 8;

    private static final int HEADER_CRC = 0x02;
    private static final int EXTRA = 0x04;
    private static final int NAME = 0x08;
    private static final int COMMENT = 0x10;
    private static final int RESERVED = 0xe0;

    /**
     * {@return whether some bytes begin like a member}
     *
     * @param bytes any number of them
     */
    public static boolean isAtFrontOf(FrameBytes bytes) {
        return bytes.byteSize() >= BYTES_MIN && bytes.littleEndian(0, Short.BYTES) == MAGIC_NUMBER;
    }

    /**
     * Reads a member's header.
     *
     * @param member at least {@link #BYTES_MIN} bytes of it
     * @return the header
     */
    public static GzipHeader read(FrameBytes member) {
        int flags = member.unsignedByte(3);
        return new GzipHeader(
                end(member, flags), member.unsignedByte(2) == DEFLATE, (flags & RESERVED) != 0);
    }

    /**
     * {@return the size of the content, modulo 4 GiB, from the last bytes of a member}
     *
     * @param member at least 4 bytes
     */
    public static long contentBytes(FrameBytes member) {
        return member.littleEndian(member.byteSize() - Integer.BYTES, Integer.BYTES);
    }

    private static long end(FrameBytes member, int flags) {
        long at = BYTES_MIN;
        if ((flags & EXTRA) != 0) {
            boolean isCut = member.byteSize() - at < Short.BYTES;
            at += Short.BYTES + (isCut ? 0 : member.littleEndian(at, Short.BYTES));
        }
        if ((flags & NAME) != 0) {
            at = behindString(member, at);
        }
        if ((flags & COMMENT) != 0) {
            at = behindString(member, at);
        }
        return at + ((flags & HEADER_CRC) != 0 ? Short.BYTES : 0);
    }

    private static long behindString(FrameBytes member, long from) {
        long at = from;
        while (at < member.byteSize() && member.unsignedByte(at) != 0) {
            at++;
        }
        return at + 1;
    }
}
