package io.zarrengine.bindings.frames;

/**
 * The header of a raw snappy block: the decoded size, 7 bits per byte.
 *
 * @param bytes its size, and so the offset of the first element
 * @param contentBytes the decoded size of the block; -1 if the header is truncated or too long
 * @see <a href="https://github.com/google/snappy/blob/main/format_description.txt">Snappy, format
 *     description</a>
 */
public record SnappyHeader(int bytes, long contentBytes) {
    private static final int BYTES_MAX = 5; // a varint of 32 bits
    private static final int BITS = 7;
    private static final int MORE = 0x80;

    /**
     * Reads a block's header.
     *
     * @param block any number of bytes
     * @return the header
     */
    public static SnappyHeader read(FrameBytes block) {
        long size = 0;
        long end = Math.min(BYTES_MAX, block.byteSize());
        for (int at = 0; at < end; at++) {
            int next = block.unsignedByte(at);
            size |= (next & ~(long) MORE) << (BITS * at);
            if ((next & MORE) == 0) {
                return new SnappyHeader(at + 1, size);
            }
        }
        return new SnappyHeader(BYTES_MAX, -1);
    }
}
