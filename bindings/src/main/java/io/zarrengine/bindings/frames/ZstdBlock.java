package io.zarrengine.bindings.frames;

/**
 * What the header of a block in a zstd frame says.
 *
 * @param isLast whether no block follows
 * @param type 0 for plain bytes, 1 for a run of one byte, {@link #COMPRESSED}, or 3, reserved
 * @param size Block_Size: of a compressed block the encoded size, of others the decoded one
 * @param end where the block ends in the frame, which may have been cut before
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2">RFC 8878, 3.1.1.2
 *     Blocks</a>
 */
public record ZstdBlock(boolean isLast, int type, int size, long end) {
    /** The size of a header. */
    public static final int HEADER_BYTES = 3;

    /** Block_Maximum_Size, unless the window is smaller: no block decodes to more. */
    public static final long DECODED_BYTES_MAX = 128 << 10;

    /** The type of a block that does not say what it decodes to. */
    public static final int COMPRESSED = 2;

    /** The bit of a header's first byte that says that no block follows. */
    public static final int LAST = 1;

    private static final int RUN = 1; // RLE_Block

    /**
     * Reads a block's header.
     *
     * @param frame which holds it
     * @param at where it begins there
     * @return the block
     */
    public static ZstdBlock read(FrameBytes frame, long at) {
        int header = (int) frame.littleEndian(at, HEADER_BYTES);
        int type = header >> 1 & 3;
        int size = header >> 3;
        long end = at + HEADER_BYTES + (type == RUN ? 1 : size);
        return new ZstdBlock((header & LAST) != 0, type, size, end);
    }
}
