package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Bit shuffling: all lowest bits of the elements' first bytes, then all second bits, and so on.
 *
 * <p>Shape of the shuffled form: {@code (8 * elementBytes, elements / 8)}, bytes, C order; bit
 * {@code i % 8} of byte {@code i / 8} belongs to element {@code i}.
 */
final class BitShuffle {
    private static final int BITS = Byte.SIZE;

    private BitShuffle() {}

    /**
     * Puts the bits of each element of {@code shuffled} side by side in {@code target}. c-blosc
     * shuffles only a number of elements that 8 divides: else the bytes are as they were.
     */
    static void unshuffle(MemorySegment shuffled, MemorySegment target, int elementBytes) {
        long elements = target.byteSize() / elementBytes;
        long whole = elements % BITS == 0 ? elements * elementBytes : 0;
        if (whole > 0) {
            unshuffleWhole(shuffled, target, elementBytes, elements);
        }
        MemorySegment.copy(shuffled, whole, target, whole, target.byteSize() - whole);
    }

    private static void unshuffleWhole(
            MemorySegment shuffled, MemorySegment target, int elementBytes, long elements) {
        long rowBytes = elements / BITS;
        for (int b = 0; b < elementBytes; b++) {
            for (long group = 0; group < rowBytes; group++) {
                long bits = 0; // row r, bit i: bit r of byte b of element i of the group
                for (int row = 0; row < BITS; row++) {
                    long at = (b * (long) BITS + row) * rowBytes + group;
                    bits |= Byte.toUnsignedLong(shuffled.get(JAVA_BYTE, at)) << (BITS * row);
                }
                long bytes = transpose(bits);
                for (int i = 0; i < BITS; i++) {
                    long at = (group * BITS + i) * elementBytes + b;
                    target.set(JAVA_BYTE, at, (byte) (bytes >>> (BITS * i)));
                }
            }
        }
    }

    /**
     * Transposes an 8 x 8 matrix of bits, one row a byte.
     *
     * @see <i>Hacker's Delight</i>, section 7-3
     */
    static long transpose(long rows) {
        long x = rows;
        long swap = (x ^ (x >>> 7)) & 0x00aa00aa00aa00aaL;
        x ^= swap ^ (swap << 7);
        swap = (x ^ (x >>> 14)) & 0x0000cccc0000ccccL;
        x ^= swap ^ (swap << 14);
        swap = (x ^ (x >>> 28)) & 0x00000000f0f0f0f0L;
        return x ^ swap ^ (swap << 28);
    }
}
