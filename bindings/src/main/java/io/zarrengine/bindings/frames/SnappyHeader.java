package io.zarrengine.bindings.frames;

/**
 * What is before the elements of a raw snappy block: the size of what they decode to, 7 bits a
 * byte.
 *
 * @param bytes its size: there the first element begins
 * @param contentBytes what the block decodes to; -1 if the header is cut, or longer than it may be
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
