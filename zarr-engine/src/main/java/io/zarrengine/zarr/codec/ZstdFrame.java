package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The structure of a zstd frame: a header, then blocks, each behind its size. Their content is not
 * looked at.
 *
 * @param bytes the frame
 * @param headerBytes where the first block begins
 * @param windowBytes how far back a block may refer to what was decoded before
 * @param contentBytes what it decodes to; -1 if it does not say
 * @param hasChecksum whether a checksum follows the last block
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1">RFC 8878, 3.1.1 Zstandard
 *     Frames</a>
 */
record ZstdFrame(
        MemorySegment bytes,
        int headerBytes,
        long windowBytes,
        long contentBytes,
        boolean hasChecksum) {
    /** Block_Maximum_Size: no block decodes to more. */
    static final long BLOCK_BYTES_MAX = 128 << 10;

    private static final long MAGIC_NUMBER = 0xFD2FB528L;
    private static final int DESCRIPTOR_AT = 4;
    private static final int WINDOW_AT = 5;
    private static final int WINDOW_LOG_MIN = 10;
    private static final int HEADER_BYTES_MAX = 18;
    private static final int[] DICTIONARY_ID_BYTES = {0, 1, 2, 4};
    private static final int[] CONTENT_SIZE_BYTES = {0, 2, 4, 8};
    private static final int CHECKSUM_BYTES = 4;

    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int RUN_BLOCK = 1; // RLE_Block: one byte, however often it comes

    /** {@return the frame that some bytes begin with; empty if they do not} */
    static Optional<ZstdFrame> read(MemorySegment bytes) {
        if (bytes.byteSize() < HEADER_BYTES_MAX || littleEndian(bytes, 0, 4) != MAGIC_NUMBER) {
            return Optional.empty();
        }
        int descriptor = bytes.get(JAVA_BYTE, DESCRIPTOR_AT);
        boolean hasWindow = (descriptor & 0x20) == 0; // else Single_Segment_flag
        int contentFlag = descriptor >>> 6 & 3;
        int contentSizeBytes = CONTENT_SIZE_BYTES[contentFlag];
        if (contentFlag == 0 && !hasWindow) {
            contentSizeBytes = 1;
        }
        int contentAt =
                DESCRIPTOR_AT + 1 + (hasWindow ? 1 : 0) + DICTIONARY_ID_BYTES[descriptor & 3];
        long content = littleEndian(bytes, contentAt, contentSizeBytes);
        long contentBytes = contentSizeBytes == 0 ? -1 : content + (contentFlag == 1 ? 256 : 0);
        return Optional.of(
                new ZstdFrame(
                        bytes,
                        contentAt + contentSizeBytes,
                        hasWindow ? windowBytes(bytes.get(JAVA_BYTE, WINDOW_AT)) : contentBytes,
                        contentBytes,
                        (descriptor & 0x04) != 0));
    }

    private static long windowBytes(byte descriptor) {
        long base = 1L << (WINDOW_LOG_MIN + (Byte.toUnsignedInt(descriptor) >>> 3));
        return base + base / 8 * (descriptor & 7);
    }

    private static long littleEndian(MemorySegment bytes, long at, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | Byte.toUnsignedLong(bytes.get(JAVA_BYTE, at + i));
        }
        return value;
    }

    /**
     * {@return whether decoding may stop behind a byte, and leaves blocks out then}
     *
     * @param end behind that byte
     * @param verifiesChecksums whether a frame with a checksum is decoded to its end
     */
    boolean mayStopAt(long end, boolean verifiesChecksums) {
        return contentBytes - end >= BLOCK_BYTES_MAX && !(hasChecksum && verifiesChecksums);
    }

    /** {@return whether the last block, and the checksum, end where the bytes end} */
    boolean isWhole() {
        long at = headerBytes;
        boolean isLast = false;
        while (!isLast) {
            if (at > bytes.byteSize() - BLOCK_HEADER_BYTES) {
                return false;
            }
            isLast = isLastBlock(at);
            at = blockEnd(at);
        }
        return at + (hasChecksum ? CHECKSUM_BYTES : 0) == bytes.byteSize();
    }

    /** {@return whether the block that begins at a byte of the frame is the last one} */
    boolean isLastBlock(long at) {
        return (blockHeader(at) & 1) != 0;
    }

    /** {@return where the block that begins at a byte of the frame ends} */
    long blockEnd(long at) {
        int header = blockHeader(at);
        boolean isRun = (header >>> 1 & 3) == RUN_BLOCK;
        return at + BLOCK_HEADER_BYTES + (isRun ? 1 : header >>> 3);
    }

    private int blockHeader(long at) {
        return (int) littleEndian(bytes, at, BLOCK_HEADER_BYTES);
    }
}
