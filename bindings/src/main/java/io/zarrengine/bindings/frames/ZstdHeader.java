package io.zarrengine.bindings.frames;

import io.zarrengine.bindings.MappedBytes;

/**
 * What the header of a zstd frame says.
 *
 * @param bytes its size: there the first block begins
 * @param windowBytes how far back a block may refer to what was decoded before
 * @param hasWindow whether the window has a size of its own; else all of the content is the window
 * @param contentBytes what the frame decodes to; -1 if it does not say, or was cut before it does
 * @param checksumBytes how many bytes of checksum follow the last block
 * @param hasDictionary whether the frame names a dictionary, which it needs
 * @param hasReservedBit whether the bit is set that must not be
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
    /** The size of the shortest: magic number, descriptor, and one byte of window or content. */
    public static final int BYTES_MIN = 6;

    /** The size of the longest. */
    public static final int BYTES_MAX = 18;

    private static final int MAGIC_NUMBER = 0xFD2FB528;
    private static final int WINDOW_LOG_MIN = 10;

    /**
     * {@return whether some bytes begin as a frame, and not as a skippable one}
     *
     * @param bytes at least {@link #BYTES_MIN}
     */
    public static boolean isAtFrontOf(MappedBytes bytes) {
        return bytes.littleEndianInt(0) == MAGIC_NUMBER;
    }

    /**
     * Reads a frame's header.
     *
     * @param frame at least {@link #BYTES_MIN} bytes of it
     * @return the header
     */
    public static ZstdHeader read(MappedBytes frame) {
        int descriptor = frame.unsignedByte(4);
        int dictionaryFlag = descriptor & 0x03;
        boolean hasWindow = (descriptor & 0x20) == 0; // else Single_Segment_flag
        int contentFlag = descriptor >> 6;
        int contentAt = 5 + (hasWindow ? 1 : 0) + (1 << dictionaryFlag >> 1);
        int shortest = hasWindow ? 0 : 1;
        int end = contentAt + (contentFlag == 0 ? shortest : 1 << contentFlag);
        long contentBytes = contentBytes(frame, contentAt, end);
        return new ZstdHeader(
                end,
                hasWindow ? windowBytes(frame.unsignedByte(5)) : contentBytes,
                hasWindow,
                contentBytes,
                (descriptor & 0x04) == 0 ? 0 : 4,
                dictionaryFlag != 0,
                (descriptor & 0x08) != 0);
    }

    private static long contentBytes(MappedBytes frame, int from, int to) {
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
