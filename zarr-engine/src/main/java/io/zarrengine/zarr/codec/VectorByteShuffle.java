package io.zarrengine.zarr.codec;

import static io.zarrengine.zarr.codec.VectorZip.VECTOR_BYTES;
import static io.zarrengine.zarr.codec.VectorZip.high;
import static io.zarrengine.zarr.codec.VectorZip.load;
import static io.zarrengine.zarr.codec.VectorZip.low;
import static io.zarrengine.zarr.codec.VectorZip.store;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;

/**
 * {@link ByteShuffle} with vectors, for elements of 2, 4, 8 and 16 bytes. A step takes one vector
 * of each plane of bytes and zips them: bytes to shorts, shorts to ints, up to the elements.
 */
final class VectorByteShuffle {
    private VectorByteShuffle() {}

    /**
     * Puts the bytes of elements side by side, as far as whole vectors of them go.
     *
     * @param planeBytes where the second plane begins: the number of elements
     * @return how many elements are done
     */
    static long unshuffle(
            MemorySegment shuffled, MemorySegment target, int elementBytes, long planeBytes) {
        long done = planeBytes - planeBytes % VECTOR_BYTES;
        switch (elementBytes) {
            case 2 -> unshuffle2(shuffled, target, planeBytes, done);
            case 4 -> unshuffle4(shuffled, target, planeBytes, done);
            case 8 -> unshuffle8(shuffled, target, planeBytes, done);
            case 16 -> unshuffle16(shuffled, target, planeBytes, done);
            default -> done = 0;
        }
        return done;
    }

    private static void unshuffle2(
            MemorySegment shuffled, MemorySegment target, long plane, long end) {
        for (long i = 0; i < end; i += VECTOR_BYTES) {
            ByteVector b0 = load(shuffled, i);
            ByteVector b1 = load(shuffled, plane + i);
            store(low(b0, b1), target, 2 * i);
            store(high(b0, b1), target, 2 * i + VECTOR_BYTES);
        }
    }

    private static void unshuffle4(
            MemorySegment shuffled, MemorySegment target, long plane, long end) {
        for (long i = 0; i < end; i += VECTOR_BYTES) {
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

    private static void unshuffle8(
            MemorySegment shuffled, MemorySegment target, long plane, long end) {
        for (long i = 0; i < end; i += VECTOR_BYTES) {
            unshuffle8Step(shuffled, i, plane, target, 8 * i);
        }
    }

    /** One vector of each of 8 planes becomes 8 vectors of longs. */
    static void unshuffle8Step(
            MemorySegment shuffled, long from, long plane, MemorySegment target, long at) {
        ByteVector b0 = load(shuffled, from);
        ByteVector b1 = load(shuffled, from + plane);
        ByteVector b2 = load(shuffled, from + 2 * plane);
        ByteVector b3 = load(shuffled, from + 3 * plane);
        ByteVector b4 = load(shuffled, from + 4 * plane);
        ByteVector b5 = load(shuffled, from + 5 * plane);
        ByteVector b6 = load(shuffled, from + 6 * plane);
        ByteVector b7 = load(shuffled, from + 7 * plane);
        ShortVector low01 = low(b0, b1);
        ShortVector low23 = low(b2, b3);
        ShortVector low45 = low(b4, b5);
        ShortVector low67 = low(b6, b7);
        zipInts(low(low01, low23), low(low45, low67), target, at);
        zipInts(high(low01, low23), high(low45, low67), target, at + 2 * VECTOR_BYTES);
        ShortVector high01 = high(b0, b1);
        ShortVector high23 = high(b2, b3);
        ShortVector high45 = high(b4, b5);
        ShortVector high67 = high(b6, b7);
        zipInts(low(high01, high23), low(high45, high67), target, at + 4 * VECTOR_BYTES);
        zipInts(high(high01, high23), high(high45, high67), target, at + 6 * VECTOR_BYTES);
    }

    private static void zipInts(IntVector even, IntVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }

    private static void unshuffle16(
            MemorySegment shuffled, MemorySegment target, long plane, long end) {
        for (long i = 0; i < end; i += VECTOR_BYTES) {
            unshuffle16Half(shuffled, i, plane, target, 16 * i, false);
            unshuffle16Half(shuffled, i, plane, target, 16 * i + 8 * VECTOR_BYTES, true);
        }
    }

    /** The elements of one half of each vector: all at once are more vectors than registers. */
    private static void unshuffle16Half(
            MemorySegment shuffled,
            long from,
            long plane,
            MemorySegment target,
            long at,
            boolean high) {
        ShortVector s0 = pair(shuffled, from, plane, high);
        ShortVector s2 = pair(shuffled, from + 2 * plane, plane, high);
        ShortVector s4 = pair(shuffled, from + 4 * plane, plane, high);
        ShortVector s6 = pair(shuffled, from + 6 * plane, plane, high);
        ShortVector s8 = pair(shuffled, from + 8 * plane, plane, high);
        ShortVector s10 = pair(shuffled, from + 10 * plane, plane, high);
        ShortVector s12 = pair(shuffled, from + 12 * plane, plane, high);
        ShortVector s14 = pair(shuffled, from + 14 * plane, plane, high);
        zipQuads(low(s0, s2), low(s4, s6), low(s8, s10), low(s12, s14), target, at);
        zipQuads(
                high(s0, s2),
                high(s4, s6),
                high(s8, s10),
                high(s12, s14),
                target,
                at + 4 * VECTOR_BYTES);
    }

    private static ShortVector pair(MemorySegment shuffled, long from, long plane, boolean high) {
        ByteVector even = load(shuffled, from);
        ByteVector odd = load(shuffled, from + plane);
        return high ? high(even, odd) : low(even, odd);
    }

    private static void zipQuads(
            IntVector i0,
            IntVector i4,
            IntVector i8,
            IntVector i12,
            MemorySegment target,
            long at) {
        zipLongs(low(i0, i4), low(i8, i12), target, at);
        zipLongs(high(i0, i4), high(i8, i12), target, at + 2 * VECTOR_BYTES);
    }

    private static void zipLongs(LongVector even, LongVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }
}
