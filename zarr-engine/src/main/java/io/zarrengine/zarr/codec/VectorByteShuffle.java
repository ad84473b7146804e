package io.zarrengine.zarr.codec;

import static io.zarrengine.zarr.codec.VectorZip.VECTOR_BYTES;
import static io.zarrengine.zarr.codec.VectorZip.high;
import static io.zarrengine.zarr.codec.VectorZip.load;
import static io.zarrengine.zarr.codec.VectorZip.low;
import static io.zarrengine.zarr.codec.VectorZip.store;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/**
 * {@link ByteShuffle} with vectors, for elements of 2, 4 and 8 bytes. A step takes one vector of
 * each plane of bytes and zips them: bytes to shorts, shorts to ints, up to the elements.
 */
final class VectorByteShuffle {
    private VectorByteShuffle() {}

    /** {@return whether there is a kernel for elements of that size} */
    static boolean handles(int elementBytes) {
        return elementBytes == 2 || elementBytes == 4 || elementBytes == 8;
    }

    /**
     * Puts the bytes of some elements side by side.
     *
     * @param elementBytes a size that it {@link #handles}
     * @param plane where the second plane begins: the number of elements
     * @param first the first of them
     * @param count how many; a multiple of {@link VectorZip#VECTOR_BYTES}
     */
    static void unshuffle(
            MemorySegment shuffled,
            MemorySegment target,
            int elementBytes,
            long plane,
            long first,
            long count) {
        switch (elementBytes) {
            case 2 -> unshuffle2(shuffled, target, plane, first, first + count);
            case 4 -> unshuffle4(shuffled, target, plane, first, first + count);
            case 8 -> unshuffle8(shuffled, first, plane, target, 8 * first, count);
            default -> throw new IllegalArgumentException("elements of " + elementBytes);
        }
    }

    private static void unshuffle2(
            MemorySegment shuffled, MemorySegment target, long plane, long first, long end) {
        for (long i = first; i < end; i += VECTOR_BYTES) {
            ByteVector b0 = load(shuffled, i);
            ByteVector b1 = load(shuffled, plane + i);
            store(low(b0, b1), target, 2 * i);
            store(high(b0, b1), target, 2 * i + VECTOR_BYTES);
        }
    }

    private static void unshuffle4(
            MemorySegment shuffled, MemorySegment target, long plane, long first, long end) {
        for (long i = first; i < end; i += VECTOR_BYTES) {
            ByteVector b0 = load(shuffled, i);
            ByteVector b1 = load(shuffled, plane + i);
            ByteVector b2 = load(shuffled, 2 * plane + i);
            ByteVector b3 = load(shuffled, 3 * plane + i);
            zipShorts(low(b0, b1), low(b2, b3), target, 4 * i);
            zipShorts(high(b0, b1), high(b2, b3), target, 4 * i + 2 * VECTOR_BYTES);
        }
    }

    private static void zipShorts(
            ShortVector even, ShortVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }

    /** For elements of 8 bytes, somewhere in larger memory. */
    static void unshuffle8(
            MemorySegment shuffled,
            long from,
            long plane,
            MemorySegment target,
            long to,
            long end) {
        for (long i = 0; i < end; i += VECTOR_BYTES) {
            ByteVector b0 = load(shuffled, from + i);
            ByteVector b1 = load(shuffled, from + plane + i);
            ByteVector b2 = load(shuffled, from + 2 * plane + i);
            ByteVector b3 = load(shuffled, from + 3 * plane + i);
            ByteVector b4 = load(shuffled, from + 4 * plane + i);
            ByteVector b5 = load(shuffled, from + 5 * plane + i);
            ByteVector b6 = load(shuffled, from + 6 * plane + i);
            ByteVector b7 = load(shuffled, from + 7 * plane + i);
            ShortVector low01 = low(b0, b1);
            ShortVector low23 = low(b2, b3);
            ShortVector low45 = low(b4, b5);
            ShortVector low67 = low(b6, b7);
            ShortVector high01 = high(b0, b1);
            ShortVector high23 = high(b2, b3);
            ShortVector high45 = high(b4, b5);
            ShortVector high67 = high(b6, b7);
            long at = to + 8 * i;
            zipInts(low(low01, low23), low(low45, low67), target, at);
            zipInts(high(low01, low23), high(low45, low67), target, at + 2 * VECTOR_BYTES);
            zipInts(low(high01, high23), low(high45, high67), target, at + 4 * VECTOR_BYTES);
            zipInts(high(high01, high23), high(high45, high67), target, at + 6 * VECTOR_BYTES);
        }
    }

    private static void zipInts(IntVector even, IntVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }
}
