package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.FrameBytes;

/**
 * The front of the literals of a zstd frame's compressed blocks, one block after another: that all
 * lengths lie within the block and can lead to so many literals, and that a tree is used again only
 * where there was one. Damage there has nvCOMP read where it leads; of the streams themselves, and
 * of the sequences behind them, nothing is looked at: they lie in other cache lines.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.3.1">RFC 8878, 3.1.1.3.1</a>
 */
final class ZstdLiterals {
    private static final int HEADER_BYTES_MAX = 5;
    private static final int RLE = 1; // Literals_Block_Type
    private static final int TREELESS = 3;
    private static final int STREAMS = 4;
    private static final int JUMP_TABLE_BYTES = 6;

    /** Huffman codes have 1 bit at least, and so many at most. */
    private static final int CODE_BITS_MAX = 11;

    /** From here on a tree's weights have 4 bits each, below they are compressed: 4.2.1.1. */
    private static final int DIRECT_WEIGHTS = 128;

    private final FrameBytes bytes;
    private final long blockBytesMax;
    private long count;
    private boolean hasTree; // for later blocks

    /** {@code blockBytesMax}: that a block decodes to. */
    ZstdLiterals(FrameBytes frame, long blockBytesMax) {
        this.bytes = frame;
        this.blockBytesMax = blockBytesMax;
    }

    /** {@return how many the block has that {@link #problem} was asked of, in bytes} */
    long count() {
        return count;
    }

    /**
     * {@return what is wrong with those of the next compressed block, or null}
     *
     * @param from where its content begins in the frame
     * @param end where it ends, within the frame
     */
    String problem(long from, long end) {
        long header = bytes.littleEndian(from, (int) Math.min(HEADER_BYTES_MAX, end - from));
        int type = (int) bits(header, 0, 2);
        int format = (int) bits(header, 2, 2); // Size_Format
        if (type <= RLE) {
            int headerBytes = (format & 1) == 0 ? 1 : format == 1 ? 2 : 3;
            int flags = headerBytes == 1 ? 3 : 4; // bits
            count = bits(header, flags, headerBytes * Byte.SIZE - flags);
            return sizeProblem(from + headerBytes, type == RLE ? 1 : count, end);
        }
        int sizeBits = 10 + 4 * Math.max(0, format - 1);
        long content = from + Math.max(3, format + 2);
        count = bits(header, 4, sizeBits);
        long encoded = bits(header, 4 + sizeBits, sizeBits);
        String problem = sizeProblem(content, encoded, end);
        return problem == null
                ? huffmanProblem(content, encoded, type == TREELESS, format > 0)
                : problem;
    }

    private static long bits(long number, int first, int count) {
        return number >> first & ((1L << count) - 1);
    }

    /** Behind them there are sequences, of one byte at least. */
    private String sizeProblem(long from, long encoded, long end) {
        return count > blockBytesMax || from + encoded >= end
                ? count + " literals in " + encoded + " of " + (end - from) + " bytes"
                : null;
    }

    private String huffmanProblem(long from, long encoded, boolean isTreeless, boolean isSplit) {
        if (isTreeless && !hasTree) {
            return "literals without a tree";
        }
        hasTree = true;
        long tree = isTreeless ? 0 : treeBytes(bytes.unsignedByte(from));
        long left = encoded - tree - (isSplit ? JUMP_TABLE_BYTES : 0);
        boolean isEmpty = !isTreeless && tree == 1;
        if (left <= 0 || isEmpty) {
            return "a tree of " + tree + " bytes in literals of " + encoded;
        }
        if (!isSplit) {
            return streamProblem(left, count);
        }
        long jumps = bytes.littleEndian(from + tree, JUMP_TABLE_BYTES);
        long each = (count + STREAMS - 1) / STREAMS;
        String problem = null;
        for (int i = 0; i < STREAMS - 1 && problem == null; i++) {
            long stream = bits(jumps, i * Short.SIZE, Short.SIZE);
            problem = streamProblem(stream, each);
            left -= stream;
        }
        return problem == null ? streamProblem(left, count - (STREAMS - 1) * each) : problem;
    }

    /** Of the description of a tree that begins with a byte. */
    private static int treeBytes(int first) {
        return 1 + (first < DIRECT_WEIGHTS ? first : (first - DIRECT_WEIGHTS + 2) / 2);
    }

    /** {@code literals}: in a stream of so many bytes, in which one bit more says where it ends. */
    private static String streamProblem(long stream, long literals) {
        long bits = stream * Byte.SIZE;
        return literals > 0 && bits > literals && bits <= literals * CODE_BITS_MAX + Byte.SIZE
                ? null
                : literals + " literals in " + stream + " bytes";
    }
}
