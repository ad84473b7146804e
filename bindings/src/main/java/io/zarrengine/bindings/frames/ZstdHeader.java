package io.zarrengine.bindings.frames;

/**
 * The header of a zstd frame.
 *
 * @param bytes its size, and so the offset of the first block
 * @param windowBytes longest distance back to which a block may refer
 * @param hasWindow whether the window has a size of its own; otherwise the window is the whole
 *     content
 * @param contentBytes decoded size of the frame; -1 if the header lacks it, or is truncated before
 *     it
 * @param checksumBytes size of the checksum after the last block
 * @param hasDictionary whether the frame needs a dictionary
 * @param hasReservedBit whether the reserved bit is set
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1">RFC 8878, 3.1.1.1
 *     Frame_Header</a>
 */
public record ZstdHeader(
        int bytes,
        long windowBytes,
        boolean hasWindow,
        long contentBytes,
        int checksumBytes,
        boolean hasDictionary,
        boolean hasReservedBit) {
    /** Size of the shortest header: magic number, descriptor, and one byte of window or content. */
    public static final int BYTES_MIN = 6;

    /** Size of the longest header. */
    public static final int BYTES_MAX = 18;

    /** Offset of the descriptor, whose bits determine the other fields. */
    public static final int DESCRIPTOR_AT = 4;

    /** Bit of the descriptor that marks a checksum after the last block. */
    public static final int CHECKSUM = 0x04;

    /** Offset of the window size, if {@link #hasWindow}. */
    public static final int WINDOW_AT = 5;

    private static final int MAGIC_NUMBER = 0xFD2FB528;
    private static final int WINDOW_LOG_MIN = 10;

    private static final int SKIPPABLE_MASK = 0xfffffff0;
    private static final int SKIPPABLE = 0x184D2A50; // RFC 8878, 3.1.2
    private static final int SKIPPABLE_HEADER_BYTES = 8;

    /**
     * {@return whether some bytes begin like a frame that is not skippable}
     *
     * @param bytes at least {@link #BYTES_MIN}
     */
    public static boolean isAtFrontOf(FrameBytes bytes) {
        return bytes.littleEndianInt(0) == MAGIC_NUMBER;
    }

    /**
     * {@return the size of the skippable frame at the front of some bytes; 0 if there is none, or
     * it is truncated}
     *
     * @param bytes any number of them
     */
    public static long skippableBytes(FrameBytes bytes) {
        boolean isSkippable =
                bytes.byteSize() >= SKIPPABLE_HEADER_BYTES
                        && (bytes.littleEndianInt(0) & SKIPPABLE_MASK) == SKIPPABLE;
        if (!isSkippable) {
            return 0;
        }
        long all = SKIPPABLE_HEADER_BYTES + bytes.littleEndian(4, Integer.BYTES);
        return all <= bytes.byteSize() ? all : 0;
    }

    /**
     * Reads a frame's header.
     *
     * @param frame at least {@link #BYTES_MIN} bytes of it
     * @return the header
     */
    public static ZstdHeader read(FrameBytes frame) {
        int descriptor = frame.unsignedByte(DESCRIPTOR_AT);
        int dictionaryFlag = descriptor & 0x03;
        boolean hasWindow = (descriptor & 0x20) == 0; // otherwise Single_Segment_flag
        int contentFlag = descriptor >> 6;
        int contentAt = WINDOW_AT + (hasWindow ? 1 : 0) + (1 << dictionaryFlag >> 1);
        int shortest = hasWindow ? 0 : 1;
        int end = contentAt + (contentFlag == 0 ? shortest : 1 << contentFlag);
        long contentBytes = contentBytes(frame, contentAt, end);
        return new ZstdHeader(
                end,
                hasWindow ? windowBytes(frame.unsignedByte(WINDOW_AT)) : contentBytes,
                hasWindow,
                contentBytes,
                (descriptor & CHECKSUM) == 0 ? 0 : 4,
                dictionaryFlag != 0,
                (descriptor & 0x08) != 0);
    }

    private static long contentBytes(FrameBytes frame, int from, int to) {
        if (from == to || to > frame.byteSize()) {
            return -1;
        }
        return frame.littleEndian(from, to - from) + (to - from == 2 ? 256 : 0);
    }

    private static long windowBytes(int descriptor) {
        long base = 1L << (WINDOW_LOG_MIN + (descriptor >> 3));
        return base + base / 8 * (descriptor & 7);
    }
}
