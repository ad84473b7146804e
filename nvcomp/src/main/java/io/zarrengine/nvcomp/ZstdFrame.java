package io.zarrengine.nvcomp;

import io.zarrengine.bindings.MappedBytes;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The headers of a zstd frame, walked from the magic number to the last block, which must end
 * exactly where the frame does.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1">RFC 8878, 3.1.1</a>
 */
final class ZstdFrame {
    private static final int MAGIC = 0xFD2FB528;
    private static final int CHECKSUM_BYTES = 4;
    private static final int BLOCK_HEADER_BYTES = 3;
    private static final long BLOCK_BYTES_MAX = 128 << 10; // 3.1.1.2.4
    private static final int COMPRESSED_BYTES_MIN = 2; // a literals header, a sequences header

    /** What every decoder should support, 3.1.1.1.2; nvCOMP does not say what it does. */
    private static final long WINDOW_BYTES_MAX = 8 << 20;

    private static final int RLE = 1;
    private static final int COMPRESSED = 2;

    private final MappedBytes frame;
    private final long frameBytes;
    private final long decodedBytes;
    private final boolean comparesChecksums;
    private long at;
    private long blockBytesMax;
    private boolean hasChecksum;

    private ZstdFrame(MemorySegment frame, long decodedBytes, boolean comparesChecksums) {
        this.frame = new MappedBytes(frame);
        this.frameBytes = frame.byteSize();
        this.decodedBytes = decodedBytes;
        this.comparesChecksums = comparesChecksums;
    }

    static Optional<String> refusal(
            MemorySegment frame, long decodedBytes, boolean comparesChecksums) {
        ZstdFrame walk = new ZstdFrame(frame, decodedBytes, comparesChecksums);
        String problem = walk.header();
        return Optional.ofNullable(problem == null ? walk.blocks() : problem);
    }

    /** The frame header; returns what is wrong with it, or null. */
    private String header() {
        if (left() < 6) { // magic, descriptor, and one byte of window or size
            return "a frame of " + frameBytes + " bytes";
        }
        if ((int) little(4) != MAGIC) {
            return "no zstd frame, or a skippable one";
        }
        int descriptor = (int) little(1);
        boolean isSingleSegment = (descriptor & 0x20) != 0;
        hasChecksum = (descriptor & 0x04) != 0;
        if (hasChecksum && comparesChecksums) {
            return "a checksum";
        }
        if ((descriptor & 0x08) != 0) {
            return "a reserved bit is set";
        }
        if ((descriptor & 0x03) != 0) {
            return "it needs a dictionary";
        }
        long windowBytes = isSingleSegment ? 0 : window((int) little(1));
        if (windowBytes > WINDOW_BYTES_MAX) {
            return "a window of " + windowBytes + " bytes";
        }
        return contentSize(descriptor >> 6, isSingleSegment, windowBytes);
    }

    private static long window(int descriptor) {
        long base = 1L << (10 + (descriptor >> 3));
        return base + base / 8 * (descriptor & 7);
    }

    private String contentSize(int flag, boolean isSingleSegment, long windowBytes) {
        int fieldBytes = flag == 0 ? (isSingleSegment ? 1 : 0) : 1 << flag;
        if (fieldBytes == 0) {
            return "it does not say its content's size";
        }
        if (left() < fieldBytes) {
            return "the header is cut off";
        }
        long contentBytes = little(fieldBytes) + (fieldBytes == 2 ? 256 : 0);
        if (contentBytes != decodedBytes) {
            return "content of "
                    + Long.toUnsignedString(contentBytes)
                    + " bytes, expected "
                    + decodedBytes;
        }
        blockBytesMax = Math.min(isSingleSegment ? contentBytes : windowBytes, BLOCK_BYTES_MAX);
        return null;
    }

    /** The blocks; returns what is wrong with them, or null. */
    private String blocks() {
        long known = 0; // decoded bytes of raw and RLE blocks
        long blocks = 0;
        boolean isLast = false;
        while (!isLast) {
            if (left() < BLOCK_HEADER_BYTES) {
                return "the last block is missing";
            }
            int header = (int) little(BLOCK_HEADER_BYTES);
            isLast = (header & 1) != 0;
            int type = header >> 1 & 3;
            int size = header >> 3;
            if (size > blockBytesMax) {
                return "a block of " + size + " bytes";
            }
            if (type > COMPRESSED || (type == COMPRESSED && size < COMPRESSED_BYTES_MIN)) {
                return "a block of type " + type + " and " + size + " bytes";
            }
            known += type == COMPRESSED ? 0 : size;
            blocks += type == COMPRESSED ? 1 : 0;
            at += type == RLE ? 1 : size;
        }
        return end(known, blocks);
    }

    private String end(long known, long compressedBlocks) {
        if (left() != (hasChecksum ? CHECKSUM_BYTES : 0)) {
            return "the last block ends " + left() + " bytes before the end";
        }
        boolean fits =
                compressedBlocks == 0
                        ? known == decodedBytes
                        : known <= decodedBytes
                                && decodedBytes - known <= compressedBlocks * blockBytesMax;
        return fits ? null : "its blocks cannot hold " + decodedBytes + " bytes";
    }

    private long left() {
        return frameBytes - at;
    }

    /** The next bytes as a little-endian number; the caller knows that they are there. */
    private long little(int bytes) {
        long value = frame.littleEndian(at, bytes);
        at += bytes;
        return value;
    }
}
