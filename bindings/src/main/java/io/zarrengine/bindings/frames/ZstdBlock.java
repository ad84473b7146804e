package io.zarrengine.bindings.frames;

/**
 * The header of a block in a zstd frame.
 *
 * @param isLast whether no block follows
 * @param type 0 for plain bytes, 1 for a run of one byte, {@link #COMPRESSED}, or 3, reserved
 * @param size Block_Size: the encoded size of a compressed block, the decoded size of others
 * @param end offset of the block's end in the frame, which may be truncated
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.2">RFC 8878, 3.1.1.2
 *     Blocks</a>
 */
public record ZstdBlock(boolean isLast, int type, int size, long end) {
    /** Size of a header. */
    public static final int HEADER_BYTES = 3;

    /** Largest decoded size of a block: Block_Maximum_Size, unless the window is smaller. */
    public static final long DECODED_BYTES_MAX = 128 << 10;

    /** Type of a block whose header lacks the decoded size. */
    public static final int COMPRESSED = 2;

    /** Bit of a header's first byte that marks the last block. */
    public static final int LAST = 1;

    private static final int RUN = 1; // RLE_Block

    /**
     * Reads a block's header.
     *
     * @param frame holds the header
     * @param at offset of the header in the frame
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
