package io.zarrengine.bindings.frames;

/**
 * The header of a blosc1 chunk, and the layout of its blocks.
 *
 * @param version of the chunk's format: {@link #VERSION}
 * @param formatVersion of the streams' format: {@link #FORMAT_VERSION}
 * @param flags for shuffling, splitting and compression
 * @param typeBytes size of an element, for shuffling
 * @param decodedBytes size of the decoded chunk
 * @param blockBytes size of a decoded block; the last one may be shorter
 * @param encodedBytes size of the encoded chunk, this header included
 * @see <a href="https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst">c-blosc, chunk
 *     format</a>
 */
public record BloscHeader(
        int version,
        int formatVersion,
        int flags,
        int typeBytes,
        int decodedBytes,
        int blockBytes,
        int encodedBytes) {
    /** Size of a header. */
    public static final int BYTES = 16;

    /** BLOSC_VERSION_FORMAT; 3 and later belong to c-blosc2. */
    public static final int VERSION = 2;

    /** BLOSC_LZ4_VERSION_FORMAT, and those of the other compressors. */
    public static final int FORMAT_VERSION = 1;

    /** Size of the length before each stream. */
    public static final int LENGTH_BYTES = 4;

    private static final int OFFSET_BYTES = 4; // of a block, after the header

    private static final int BYTE_SHUFFLED = 0x1;
    private static final int STORED = 0x2;
    private static final int BIT_SHUFFLED = 0x4;
    private static final int RESERVED = 0x8;
    private static final int NOT_SPLIT = 0x10;
    private static final int FORMAT_SHIFT = 5;

    private static final int BLOCK_BYTES_MAX = (Integer.MAX_VALUE - 255 * 4) / 3; // as c-blosc
    private static final int SPLITS_MAX = 16; // MAX_SPLITS
    private static final int SPLIT_BYTES_MIN = 128; // MIN_BUFFERSIZE

    /**
     * Reads a chunk's header.
     *
     * @param chunk at least {@link #BYTES} of it
     * @return the header
     */
    public static BloscHeader read(FrameBytes chunk) {
        int front = chunk.littleEndianInt(0); // four fields of one byte
        return new BloscHeader(
                front & 0xff,
                front >> 8 & 0xff,
                front >> 16 & 0xff,
                front >>> 24,
                chunk.littleEndianInt(4),
                chunk.littleEndianInt(8),
                chunk.littleEndianInt(12));
    }

    /** {@return whether the chunk's bytes follow as they are, in one stored stream} */
    public boolean isStored() {
        return (flags & STORED) != 0;
    }

    /** {@return whether the elements of a block are byte-shuffled} */
    public boolean isByteShuffled() {
        return (flags & BYTE_SHUFFLED) != 0 && typeBytes > 1;
    }

    /** {@return whether the elements of a block are bit-shuffled} */
    public boolean isBitShuffled() {
        return (flags & BIT_SHUFFLED) != 0 && (flags & BYTE_SHUFFLED) == 0;
    }

    /** {@return whether the reserved flag is set} */
    public boolean hasReservedFlag() {
        return (flags & RESERVED) != 0;
    }

    /** {@return the format of the streams: 0 BloscLZ, 1 lz4, 2 snappy, 3 zlib, 4 zstd} */
    public int format() {
        return flags >> FORMAT_SHIFT;
    }

    /** {@return the largest valid {@link #blockBytes}} */
    public int blockBytesMax() {
        return Math.min(decodedBytes, BLOCK_BYTES_MAX);
    }

    /** {@return the number of blocks; {@link #blockBytes} must not be 0} */
    public int blockCount() {
        return (int) ((decodedBytes + (long) blockBytes - 1) / blockBytes);
    }

    /**
     * {@return the size of a decoded block}
     *
     * @param block number of the block
     */
    public int blockBytes(int block) {
        return (int) Math.min(blockBytes, decodedBytes - (long) block * blockBytes);
    }

    /**
     * {@return the number of streams of equal size in a block: one for each byte of an element, or
     * one}
     *
     * @param block number of the block; {@link #typeBytes} must not be 0
     */
    public int splits(int block) {
        boolean isSplit =
                (flags & NOT_SPLIT) == 0
                        && blockBytes(block) == blockBytes
                        && typeBytes <= SPLITS_MAX
                        && blockBytes / typeBytes >= SPLIT_BYTES_MIN;
        return isSplit ? typeBytes : 1;
    }

    /** {@return the bytes before the first stream: the header, and the blocks' offsets} */
    public long frontBytes() {
        return BYTES + (isStored() ? 0 : (long) OFFSET_BYTES * blockCount());
    }

    /**
     * {@return the stored offset of a block in the chunk}
     *
     * @param chunk holds all {@link #frontBytes}
     * @param block number of the block
     */
    public int blockOffset(FrameBytes chunk, int block) {
        return chunk.littleEndianInt(BYTES + (long) OFFSET_BYTES * block);
    }
}
