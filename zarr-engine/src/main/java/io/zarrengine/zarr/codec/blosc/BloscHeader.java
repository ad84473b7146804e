package io.zarrengine.zarr.codec.blosc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.zarrengine.zarr.codec.CodecContext;
import io.zarrengine.zarr.codec.Decompressor;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.lz77.MachineCodeLz77Decompressor;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.TargetTooSmallException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 16 bytes before a blosc1 chunk, checked against the chunk's size and the target's.
 *
 * @param flags see the constants
 * @param typeBytes size of an element, for shuffling
 * @param decodedBytes size of the decoded chunk
 * @param blockBytes size of a decoded block; the last one may be shorter
 * @param encodedBytes size of the encoded chunk, this header included
 * @see <a href="https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst">c-blosc, chunk
 *     format</a>
 */
record BloscHeader(int flags, int typeBytes, int decodedBytes, int blockBytes, int encodedBytes) {
    static final int BYTES = 16;

    private static final int VERSION = 2; // BLOSC_VERSION_FORMAT; 3 and later are c-blosc2's
    private static final int FORMAT_VERSION = 1; // BLOSC_LZ4_VERSION_FORMAT, and the others
    private static final int SHUFFLED = 0x1;
    private static final int STORED = 0x2;
    private static final int BIT_SHUFFLED = 0x4;
    private static final int RESERVED = 0x8;
    private static final int NOT_SPLIT = 0x10;
    private static final int FORMAT_SHIFT = 5;

    private static final int BLOCK_BYTES_MAX = (Integer.MAX_VALUE - 255 * 4) / 3; // as c-blosc
    private static final int SPLITS_MAX = 16; // MAX_SPLITS
    private static final int SPLIT_BYTES_MIN = 128; // MIN_BUFFERSIZE

    private static final ValueLayout.OfInt LE_INT =
            JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Reads and checks the header of {@code encoded}, which may decode to so many bytes. */
    static BloscHeader read(MemorySegment encoded, long decodedBytesMax) throws CodecException {
        if (encoded.byteSize() < BYTES) {
            throw damaged(encoded.byteSize() + " bytes are too few for a header");
        }
        int version = Byte.toUnsignedInt(encoded.get(JAVA_BYTE, 0));
        if (version != VERSION) {
            throw damaged("format version " + version + " is not known, expected " + VERSION);
        }
        BloscHeader header =
                new BloscHeader(
                        Byte.toUnsignedInt(encoded.get(JAVA_BYTE, 2)),
                        Byte.toUnsignedInt(encoded.get(JAVA_BYTE, 3)),
                        encoded.get(LE_INT, 4),
                        encoded.get(LE_INT, 8),
                        encoded.get(LE_INT, 12));
        header.check(encoded.byteSize(), decodedBytesMax);
        if (!header.isStored() && encoded.get(JAVA_BYTE, 1) != FORMAT_VERSION) {
            throw damaged(
                    "version "
                            + Byte.toUnsignedInt(encoded.get(JAVA_BYTE, 1))
                            + " of the compression format is not known, expected "
                            + FORMAT_VERSION);
        }
        return header;
    }

    private void check(long bytesThere, long decodedBytesMax) throws CodecException {
        if (decodedBytes < 0) {
            throw damaged(
                    "header says "
                            + Integer.toUnsignedString(decodedBytes)
                            + " decoded bytes, expected at most "
                            + decodedBytesMax);
        }
        if (decodedBytes > decodedBytesMax) {
            throw new TargetTooSmallException(BloscCodec.NAME, decodedBytes, decodedBytesMax);
        }
        if (encodedBytes < BYTES || encodedBytes > bytesThere) {
            throw damaged(
                    "header says "
                            + Integer.toUnsignedString(encodedBytes)
                            + " encoded bytes, there are "
                            + bytesThere);
        }
        if (decodedBytes > 0) {
            checkBlocks();
        }
    }

    /** As c-blosc does, also of a chunk that is stored as it is and has no use for them. */
    private void checkBlocks() throws CodecException {
        if (blockBytes <= 0 || blockBytes > Math.min(decodedBytes, BLOCK_BYTES_MAX)) {
            throw damaged(
                    "header says blocks of "
                            + Integer.toUnsignedString(blockBytes)
                            + " bytes, expected 1 to "
                            + Math.min(decodedBytes, BLOCK_BYTES_MAX));
        }
        if (typeBytes == 0) {
            throw damaged("header says elements of 0 bytes");
        }
        if ((flags & RESERVED) != 0) {
            throw damaged("flag 0x08, which is reserved, is set");
        }
        if (isStored()) {
            checkStored();
            return;
        }
        if (BYTES + 4L * blockCount() > encodedBytes) {
            throw damaged("there is no room for the offsets of " + blockCount() + " blocks");
        }
        if (blockBytes % splits(0) != 0) {
            throw damaged("a block of " + blockBytes + " bytes cannot be split into " + typeBytes);
        }
    }

    private void checkStored() throws CodecException {
        if (encodedBytes - BYTES != decodedBytes) {
            throw damaged(
                    "header says "
                            + encodedBytes
                            + " bytes for a stored chunk, expected "
                            + (BYTES + (long) decodedBytes));
        }
    }

    /** Whether the chunk did not compress and follows as it is. */
    boolean isStored() {
        return (flags & STORED) != 0;
    }

    boolean isByteShuffled() {
        return (flags & SHUFFLED) != 0 && typeBytes > 1;
    }

    boolean isBitShuffled() {
        return (flags & BIT_SHUFFLED) != 0 && (flags & SHUFFLED) == 0;
    }

    int blockCount() {
        return (int) ((decodedBytes + (long) blockBytes - 1) / blockBytes);
    }

    /** Size of a decoded block. */
    int blockBytes(int block) {
        return (int) Math.min(blockBytes, decodedBytes - (long) block * blockBytes);
    }

    /** Into how many streams of equal size a block was split: one for each byte of an element. */
    int splits(int block) {
        boolean whole = blockBytes(block) == blockBytes;
        boolean split =
                (flags & NOT_SPLIT) == 0
                        && whole
                        && typeBytes <= SPLITS_MAX
                        && blockBytes / typeBytes >= SPLIT_BYTES_MIN;
        return split ? typeBytes : 1;
    }

    /** What makes decoders of the streams. */
    CodecContext.Factory<Decompressor> decompressor() throws CodecException {
        int format = flags >> FORMAT_SHIFT;
        return switch (format) {
            case 0 -> MachineCodeLz77Decompressor.BLOSCLZ;
            case 1 -> Lz4Codec.DECOMPRESSOR; // lz4 and lz4hc
            case 2 -> MachineCodeLz77Decompressor.SNAPPY;
            case 3 -> ZlibCodec.DECOMPRESSOR;
            case 4 -> ZstdCodec.DECOMPRESSOR;
            default -> throw damaged("compression format " + format + " is not known");
        };
    }

    /** Where a block begins in the chunk, in bytes. */
    int blockOffset(MemorySegment encoded, int block) throws CodecException {
        int offset = encoded.get(LE_INT, BYTES + 4L * block);
        if (offset < BYTES || offset > encodedBytes) {
            throw damaged(
                    "block "
                            + block
                            + " begins at byte "
                            + Integer.toUnsignedString(offset)
                            + " of "
                            + encodedBytes);
        }
        return offset;
    }

    static CodecException damaged(String problem) {
        return new CodecException(BloscCodec.NAME, problem);
    }
}
