package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Puts {@link BytePlanes} together without vectors, 8 elements of 2, 4 or 8 bytes at a time. A word
 * of 8 bytes of each plane is a row of a matrix, which is transposed in blocks of 8, 16 and 32
 * bits. Byte by byte took three to six times as long.
 *
 * <p>It works in arrays, because loops over memory segments are fast only once C2 has compiled
 * them.
 *
 * @see <i>Hacker's Delight</i>, section 7-3, which does so with bits
 */
final class WordByteShuffle {
    /** Bytes of a word. The number of elements in a step is a multiple of it. */
    static final int WORD_BYTES = Long.BYTES;

    /** Bytes put together in an array at once. */
    static final int STEP_BYTES = 8 << 10;

    private static final ValueLayout.OfLong LE_LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long EVEN_BYTES = 0x00ff_00ff_00ff_00ffL;
    private static final long EVEN_SHORTS = 0x0000_ffff_0000_ffffL;
    private static final long LOW_INT = 0x0000_0000_ffff_ffffL;

    private WordByteShuffle() {}

    /** {@return whether there is a loop for an element size} */
    static boolean handles(int elementBytes) {
        return elementBytes == 2 || elementBytes == 4 || elementBytes == 8;
    }

    /**
     * Puts the bytes of some elements together.
     *
     * @param planes of a size that it {@link #handles}
     * @param rows of a multiple of {@link #WORD_BYTES} elements
     */
    static void unshuffle(MemorySegment[] planes, ElementRows rows) {
        int elementBytes = planes.length;
        int step = (int) Math.min(rows.elements(), STEP_BYTES / elementBytes);
        int stepWords = step / WORD_BYTES;
        long[] apart = new long[elementBytes * stepWords];
        long[] together = new long[elementBytes * stepWords];
        for (long row = 0; row < rows.rows(); row++) {
            long from = rows.from() + row * rows.stride();
            long to = rows.to() + row * rows.targetStride();
            for (long first = 0; first < rows.elements(); first += step) {
                int words = (int) Math.min(rows.elements() - first, step) / WORD_BYTES;
                for (int b = 0; b < elementBytes; b++) {
                    MemorySegment.copy(
                            planes[b], LE_LONG, from + first, apart, b * stepWords, words);
                }
                switch (elementBytes) {
                    case 2 -> transpose2(apart, stepWords, words, together);
                    case 4 -> transpose4(apart, stepWords, words, together);
                    default -> transpose8(apart, stepWords, words, together);
                }
                long at = to + first * elementBytes;
                MemorySegment.copy(together, 0, rows.target(), LE_LONG, at, elementBytes * words);
            }
        }
    }

    /** {@code stride} is the distance between {@code rows}, in words. */
    private static void transpose2(long[] rows, int stride, int words, long[] target) {
        for (int i = 0; i < words; i++) {
            long r0 = rows[i];
            long r1 = rows[stride + i];
            long swap = ((r0 >>> 8) ^ r1) & EVEN_BYTES;
            r0 ^= swap << 8; // elements 0, 2, 4, 6
            r1 ^= swap; // elements 1, 3, 5, 7
            swap = ((r0 >>> 16) ^ r1) & EVEN_SHORTS;
            r0 ^= swap << 16; // elements 0, 1, 4, 5
            r1 ^= swap;
            target[2 * i] = (r0 & LOW_INT) | (r1 << 32);
            target[2 * i + 1] = (r0 >>> 32) | (r1 & ~LOW_INT);
        }
    }

    private static void transpose4(long[] rows, int stride, int words, long[] target) {
        for (int i = 0; i < words; i++) {
            long r0 = rows[i];
            long r1 = rows[stride + i];
            long r2 = rows[2 * stride + i];
            long r3 = rows[3 * stride + i];
            long swap = ((r0 >>> 8) ^ r1) & EVEN_BYTES;
            r0 ^= swap << 8;
            r1 ^= swap;
            swap = ((r2 >>> 8) ^ r3) & EVEN_BYTES;
            r2 ^= swap << 8;
            r3 ^= swap;
            swap = ((r0 >>> 16) ^ r2) & EVEN_SHORTS;
            r0 ^= swap << 16; // elements 0, 4
            r2 ^= swap; // elements 2, 6
            swap = ((r1 >>> 16) ^ r3) & EVEN_SHORTS;
            r1 ^= swap << 16; // elements 1, 5
            r3 ^= swap; // elements 3, 7
            target[4 * i] = (r0 & LOW_INT) | (r1 << 32);
            target[4 * i + 1] = (r2 & LOW_INT) | (r3 << 32);
            target[4 * i + 2] = (r0 >>> 32) | (r1 & ~LOW_INT);
            target[4 * i + 3] = (r2 >>> 32) | (r3 & ~LOW_INT);
        }
    }

    private static void transpose8(long[] rows, int stride, int words, long[] target) {
        for (int i = 0; i < words; i++) {
            long r0 = rows[i];
            long r1 = rows[stride + i];
            long r2 = rows[2 * stride + i];
            long r3 = rows[3 * stride + i];
            long r4 = rows[4 * stride + i];
            long r5 = rows[5 * stride + i];
            long r6 = rows[6 * stride + i];
            long r7 = rows[7 * stride + i];
            long swap = ((r0 >>> 8) ^ r1) & EVEN_BYTES;
            r0 ^= swap << 8;
            r1 ^= swap;
            swap = ((r2 >>> 8) ^ r3) & EVEN_BYTES;
            r2 ^= swap << 8;
            r3 ^= swap;
            swap = ((r4 >>> 8) ^ r5) & EVEN_BYTES;
            r4 ^= swap << 8;
            r5 ^= swap;
            swap = ((r6 >>> 8) ^ r7) & EVEN_BYTES;
            r6 ^= swap << 8;
            r7 ^= swap;
            swap = ((r0 >>> 16) ^ r2) & EVEN_SHORTS;
            r0 ^= swap << 16;
            r2 ^= swap;
            swap = ((r1 >>> 16) ^ r3) & EVEN_SHORTS;
            r1 ^= swap << 16;
            r3 ^= swap;
            swap = ((r4 >>> 16) ^ r6) & EVEN_SHORTS;
            r4 ^= swap << 16;
            r6 ^= swap;
            swap = ((r5 >>> 16) ^ r7) & EVEN_SHORTS;
            r5 ^= swap << 16;
            r7 ^= swap;
            target[8 * i] = (r0 & LOW_INT) | (r4 << 32);
            target[8 * i + 1] = (r1 & LOW_INT) | (r5 << 32);
            target[8 * i + 2] = (r2 & LOW_INT) | (r6 << 32);
            target[8 * i + 3] = (r3 & LOW_INT) | (r7 << 32);
            target[8 * i + 4] = (r0 >>> 32) | (r4 & ~LOW_INT);
            target[8 * i + 5] = (r1 >>> 32) | (r5 & ~LOW_INT);
            target[8 * i + 6] = (r2 >>> 32) | (r6 & ~LOW_INT);
            target[8 * i + 7] = (r3 >>> 32) | (r7 & ~LOW_INT);
        }
    }
}
