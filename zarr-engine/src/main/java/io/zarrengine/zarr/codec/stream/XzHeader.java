package io.zarrengine.zarr.codec.stream;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The header of the first block of an .xz stream.
 *
 * @see <a href="https://tukaani.org/xz/xz-file-format.txt">The .xz file format</a>, 3.1
 */
final class XzHeader {
    private static final int STREAM_HEADER_BYTES = 12;
    private static final int BLOCK_HEADER_BYTES_MAX = 1024;

    /** Limit of the end of the header in its stream, in bytes. */
    static final int BYTES_MAX = STREAM_HEADER_BYTES + BLOCK_HEADER_BYTES_MAX;

    private static final int CHECKSUM_BYTES = 4;
    private static final int FILTER_COUNT_MASK = 0x03;
    private static final int HAS_ENCODED_BYTES = 0x40;
    private static final int HAS_DECODED_BYTES = 0x80;

    /** Largest size code: 4 GiB. Larger codes are invalid. */
    private static final int DICTIONARY_CODE_MAX = 40;

    private XzHeader() {}

    /**
     * Lowers the dictionary size in the header to {@code bytesMax}, if it is larger. Does not
     * change a header that is damaged or not understood.
     *
     * @param front the stream's first bytes; modified
     */
    static void limitDictionary(byte[] front, int bytesMax) {
        if (front.length <= STREAM_HEADER_BYTES) {
            return;
        }
        int headerBytes = 4 * (1 + Byte.toUnsignedInt(front[STREAM_HEADER_BYTES]));
        if (headerBytes < 8 || headerBytes > front.length - STREAM_HEADER_BYTES) {
            return;
        }
        ByteBuffer header =
                ByteBuffer.wrap(front, STREAM_HEADER_BYTES, headerBytes)
                        .slice()
                        .order(ByteOrder.LITTLE_ENDIAN);
        int checksumAt = headerBytes - CHECKSUM_BYTES;
        int at = dictionaryAt(header.slice(0, checksumAt));
        if (at < 0 || header.getInt(checksumAt) != checksum(header.slice(0, checksumAt))) {
            return;
        }
        int code = header.get(at);
        if (code > 0 && code < DICTIONARY_CODE_MAX && dictionaryBytes(code) > bytesMax) {
            header.put(at, (byte) code(bytesMax));
            header.putInt(checksumAt, checksum(header.slice(0, checksumAt)));
        }
    }

    /**
     * Returns the position of the dictionary size, a property of the last filter; -1 if it cannot
     * be found.
     */
    private static int dictionaryAt(ByteBuffer header) {
        try {
            int flags = header.position(1).get();
            int fields = FILTER_COUNT_MASK & flags;
            int sizes = ((flags & HAS_ENCODED_BYTES) >> 6) + ((flags & HAS_DECODED_BYTES) >> 7);
            for (int i = 0; i < sizes; i++) {
                skipNumber(header);
            }
            for (int i = 0; i < fields; i++) {
                skipNumber(header);
                int propertyBytes = header.get();
                header.position(header.position() + propertyBytes);
            }
            boolean isLzma2 = header.get() == LzmaFilter.LZMA2 && header.get() == 1;
            return isLzma2 ? header.position() : -1;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return -1;
        }
    }

    /** Skips a number of 7 bits per byte; all bytes but the last have the high bit set. */
    private static void skipNumber(ByteBuffer header) {
        while (header.get() < 0) {}
    }

    /** Returns the smallest code for at least a number of bytes. */
    private static int code(int bytes) {
        int code = 0;
        while (dictionaryBytes(code) < bytes) {
            code++;
        }
        return code;
    }

    private static long dictionaryBytes(int code) {
        return (2L | (code & 1)) << (code / 2 + 11);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
