package io.zarrengine.zarr.codec.lz77;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Computes sizes of a raw lz4 block without decoding it. A failed decoder does not report whether
 * the block is damaged or its target is too small.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 block format</a>
 */
final class Lz4Block {
    private static final int LENGTH_MORE = 15;
    private static final int MATCH_MIN = 4;
    private static final int OFFSET_BYTES = 2;

    private Lz4Block() {}

    /** Returns whether the lengths in a block, up to its end or to the damage, exceed a size. */
    static boolean decodesToMoreThan(long bytes, MemorySegment block) {
        long at = 0;
        long decoded = 0;
        try {
            while (at < block.byteSize() && decoded <= bytes) {
                int token = unsigned(block, at++);
                long literals = token >> 4;
                if (literals == LENGTH_MORE) {
                    long more = more(block, at);
                    literals += more;
                    at += moreBytes(more);
                }
                at += literals;
                if (at > block.byteSize()) {
                    return false;
                }
                decoded += literals;
                if (at == block.byteSize()) {
                    break; // The last sequence has no match.
                }
                at += OFFSET_BYTES;
                long match = token & LENGTH_MORE;
                if (match == LENGTH_MORE) {
                    long more = more(block, at);
                    match += more;
                    at += moreBytes(more);
                }
                decoded += match + MATCH_MIN;
            }
        } catch (IndexOutOfBoundsException e) {
            return false; // The block ends inside a length.
        }
        return decoded > bytes;
    }

    /**
     * Returns the sum of the bytes that continue a length: those that are 255, and the one after
     * them.
     */
    private static long more(MemorySegment block, long from) {
        long at = from;
        while (unsigned(block, at) == 255) {
            at++;
        }
        return 255 * (at - from) + unsigned(block, at);
    }

    /** Returns the number of bytes that continue a length by {@code more}. */
    private static long moreBytes(long more) {
        return more / 255 + 1;
    }

    private static int unsigned(MemorySegment block, long at) {
        return Byte.toUnsignedInt(block.get(JAVA_BYTE, at));
    }
}
