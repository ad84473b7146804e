package io.zarrengine.zarr.shuffle;

import static io.zarrengine.zarr.shuffle.VectorZip.VECTOR_BYTES;
import static io.zarrengine.zarr.shuffle.VectorZip.high;
import static io.zarrengine.zarr.shuffle.VectorZip.load;
import static io.zarrengine.zarr.shuffle.VectorZip.low;
import static io.zarrengine.zarr.shuffle.VectorZip.store;
import static io.zarrengine.zarr.shuffle.VectorZip.zip;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;

/**
 * Puts {@link BytePlanes} together with vectors, for elements of 2, 4 and 8 bytes. A step zips one
 * vector of each plane: bytes to shorts, shorts to ints, up to the elements. The last step of a row
 * overlaps the one before, so that it is whole.
 *
 * <p>Each kernel loops over the rows itself: called row by row, rows of 64 elements took 1.4 times
 * as long, rows of 256 1.07 times.
 */
final class VectorByteShuffle {
    private VectorByteShuffle() {}

    /**
     * Puts the bytes of some elements together.
     *
     * @param planes for elements of 2, 4 or 8 bytes
     * @param rows of at least {@link VectorZip#VECTOR_BYTES} elements
     */
    static void unshuffle(MemorySegment[] planes, ElementRows rows) {
        switch (planes.length) {
            case 2 -> unshuffle2(planes, rows);
            case 4 -> unshuffle4(planes, rows);
            case 8 -> unshuffle8(planes, rows);
            default -> throw new IllegalArgumentException("elements of " + planes.length);
        }
    }

    private static void unshuffle2(MemorySegment[] planes, ElementRows rows) {
        MemorySegment plane0 = planes[0];
        MemorySegment plane1 = planes[1];
        MemorySegment target = rows.target();
        long elements = rows.elements();
        long last = elements - VECTOR_BYTES;
        long source = rows.from();
        long row = rows.to();
        for (long r = 0; r < rows.rows(); r++) {
            for (long i = 0; i < elements; i += VECTOR_BYTES) {
                long step = Math.min(i, last);
                long from = source + step;
                long to = row + 2 * step;
                ByteVector b0 = load(plane0, from);
                ByteVector b1 = load(plane1, from);
                store(low(b0, b1), target, to);
                store(high(b0, b1), target, to + VECTOR_BYTES);
            }
            source += rows.stride();
            row += rows.targetStride();
        }
    }

    private static void unshuffle4(MemorySegment[] planes, ElementRows rows) {
        MemorySegment plane0 = planes[0];
        MemorySegment plane1 = planes[1];
        MemorySegment plane2 = planes[2];
        MemorySegment plane3 = planes[3];
        MemorySegment target = rows.target();
        long elements = rows.elements();
        long last = elements - VECTOR_BYTES;
        long source = rows.from();
        long row = rows.to();
        for (long r = 0; r < rows.rows(); r++) {
            for (long i = 0; i < elements; i += VECTOR_BYTES) {
                long step = Math.min(i, last);
                long from = source + step;
                long to = row + 4 * step;
                ByteVector b0 = load(plane0, from);
                ByteVector b1 = load(plane1, from);
                ByteVector b2 = load(plane2, from);
                ByteVector b3 = load(plane3, from);
                zipShorts(low(b0, b1), low(b2, b3), target, to);
                zipShorts(high(b0, b1), high(b2, b3), target, to + 2 * VECTOR_BYTES);
            }
            source += rows.stride();
            row += rows.targetStride();
        }
    }

    private static void zipShorts(
            ShortVector even, ShortVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }

    /**
     * Works in two passes, for the elements of the lower and the upper half of each vector of
     * bytes. In a single loop, C2 does not inline everything, and allocates vectors as objects.
     */
    private static void unshuffle8(MemorySegment[] planes, ElementRows rows) {
        unshuffle8(planes, rows, VectorZip.LOW_BYTES, 0);
        unshuffle8(planes, rows, VectorZip.HIGH_BYTES, 4 * VECTOR_BYTES);
    }

    private static void unshuffle8(
            MemorySegment[] planes, ElementRows rows, ByteVector half, long begin) {
        MemorySegment plane0 = planes[0];
        MemorySegment plane1 = planes[1];
        MemorySegment plane2 = planes[2];
        MemorySegment plane3 = planes[3];
        MemorySegment plane4 = planes[4];
        MemorySegment plane5 = planes[5];
        MemorySegment plane6 = planes[6];
        MemorySegment plane7 = planes[7];
        MemorySegment target = rows.target();
        long elements = rows.elements();
        long last = elements - VECTOR_BYTES;
        long source = rows.from();
        long row = rows.to() + begin;
        for (long r = 0; r < rows.rows(); r++) {
            for (long i = 0; i < elements; i += VECTOR_BYTES) {
                long step = Math.min(i, last);
                long from = source + step;
                long to = row + 8 * step;
                ShortVector s01 = zip(half, load(plane0, from), load(plane1, from));
                ShortVector s23 = zip(half, load(plane2, from), load(plane3, from));
                ShortVector s45 = zip(half, load(plane4, from), load(plane5, from));
                ShortVector s67 = zip(half, load(plane6, from), load(plane7, from));
                zipInts(low(s01, s23), low(s45, s67), target, to);
                zipInts(high(s01, s23), high(s45, s67), target, to + 2 * VECTOR_BYTES);
            }
            source += rows.stride();
            row += rows.targetStride();
        }
    }

    private static void zipInts(IntVector even, IntVector odd, MemorySegment target, long at) {
        store(low(even, odd), target, at);
        store(high(even, odd), target, at + VECTOR_BYTES);
    }
}
