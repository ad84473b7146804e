package io.zarrengine.nvcomp;

import io.zarrengine.bindings.frames.FrameBytes;

/**
 * Checks the literals headers of a zstd frame's compressed blocks, in order. All lengths must lie
 * within the block and fit the number of literals, and a tree may be reused only after there was
 * one. With damaged lengths nvCOMP would read out of bounds. The streams themselves and the
 * sequences after them are not checked, because they lie in other cache lines.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.3.1">RFC 8878, 3.1.1.3.1</a>
 */
final class ZstdLiterals {
    private static final int HEADER_BYTES_MAX = 5;
    private static final int RLE = 1; // Literals_Block_Type
    private static final int TREELESS = 3;
    private static final int STREAMS = 4;
    private static final int JUMP_TABLE_BYTES = 6;

    /** The maximum length of a Huffman code in bits. The minimum is 1. */
    private static final int CODE_BITS_MAX = 11;

    /**
     * From this value on a tree's weights have 4 bits each; below it they are compressed: 4.2.1.1.
     */
    private static final int DIRECT_WEIGHTS = 128;

    private final FrameBytes bytes;
    private final long blockBytesMax;
    private long count;
    private boolean hasTree; // for later blocks

    /** {@code blockBytesMax} is the maximum decoded size of a block. */
    ZstdLiterals(FrameBytes frame, long blockBytesMax) {
        this.bytes = frame;
        this.blockBytesMax = blockBytesMax;
    }

    /**
     * {@return the number of literals in the last block that {@link #problem} checked, in bytes}
     */
    long count() {
        return count;
    }

    /**
     * {@return the error in the literals of the next compressed block, or null}
     *
     * @param from offset of its content in the frame
     * @param end end of its content, within the frame
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

    /** Checks the sizes. Sequences of at least one byte follow the literals. */
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

    /** Returns the size of a tree's description that begins with this byte. */
    private static int treeBytes(int first) {
        return 1 + (first < DIRECT_WEIGHTS ? first : (first - DIRECT_WEIGHTS + 2) / 2);
    }

    /**
     * Checks the number of literals against a stream's size in bytes. One more bit marks the end of
     * the stream.
     */
    private static String streamProblem(long stream, long literals) {
        long bits = stream * Byte.SIZE;
        return literals > 0 && bits > literals && bits <= literals * CODE_BITS_MAX + Byte.SIZE
                ? null
                : literals + " literals in " + stream + " bytes";
    }
}
