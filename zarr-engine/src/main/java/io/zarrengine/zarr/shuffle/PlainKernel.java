package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A kernel in Java without vectors: 8 elements at a time where possible, the rest byte by byte.
 *
 * <p>It works in arrays, because loops over memory segments are fast only once C2 has compiled
 * them.
 */
final class PlainKernel implements ShuffleKernel {
    private static final ValueLayout.OfLong LE_LONG =
            JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Shortest row worth two extra copies, in elements. */
    private static final long ROW_ELEMENTS_MIN = 256;

    /** Most matrices transposed in an array at once. */
    private static final long STEP_MATRICES = 1024;

    @Override
    public boolean handles(int elementBytes, long bytes, MemorySegment target) {
        return true;
    }

    @Override
    public boolean takes(MemorySegment[] planes, ElementRows rows) {
        return true;
    }

    @Override
    public long rowElementsMin(int elementBytes) {
        return WordByteShuffle.handles(elementBytes) ? ROW_ELEMENTS_MIN : Long.MAX_VALUE;
    }

    @Override
    public void unshuffle(MemorySegment[] planes, ElementRows rows) {
        boolean hasWords = WordByteShuffle.handles(planes.length);
        long inWords = hasWords ? rows.elements() & -WordByteShuffle.WORD_BYTES : 0;
        if (inWords > 0) {
            WordByteShuffle.unshuffle(planes, rows.columns(0, inWords, planes.length));
        }
        if (inWords < rows.elements()) {
            byteByByte(planes, rows.columns(inWords, rows.elements(), planes.length));
        }
    }

    private static void byteByByte(MemorySegment[] planes, ElementRows rows) {
        int elementBytes = planes.length;
        int stepMax = Math.ceilDiv(WordByteShuffle.STEP_BYTES, elementBytes);
        int step = (int) Math.min(rows.elements(), stepMax);
        byte[] plane = new byte[step];
        byte[] elements = new byte[step * elementBytes];
        for (long row = 0; row < rows.rows(); row++) {
            long from = rows.from() + row * rows.stride();
            long to = rows.to() + row * rows.targetStride();
            for (long first = 0; first < rows.elements(); first += step) {
                int count = (int) Math.min(rows.elements() - first, step);
                for (int b = 0; b < elementBytes; b++) {
                    MemorySegment.copy(planes[b], JAVA_BYTE, from + first, plane, 0, count);
                    spread(plane, count, elements, b, elementBytes);
                }
                long at = to + first * elementBytes;
                MemorySegment.copy(elements, 0, rows.target(), JAVA_BYTE, at, count * elementBytes);
            }
        }
    }

    private static void spread(byte[] plane, int count, byte[] elements, int at, int distance) {
        for (int i = 0; i < count; i++) {
            elements[at + i * distance] = plane[i];
        }
    }

    @Override
    public boolean handlesBits(MemorySegment bits, MemorySegment planes) {
        return true;
    }

    @Override
    public void bitsToPlanes(
            MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes) {
        bitsToPlanes(0, bits, planes, elementBytes, rowBytes);
    }

    /**
     * Makes planes from the bytes of each row from {@code first} on. It zips 8 rows of bits to
     * longs as if they were planes of bytes, and transposes each long.
     */
    void bitsToPlanes(
            long first, MemorySegment bits, MemorySegment planes, int elementBytes, long rowBytes) {
        if (first == rowBytes) {
            return;
        }
        for (int b = 0; b < elementBytes; b++) {
            long plane = rowBytes * Byte.SIZE * b; // of both: 8 rows are as long as a plane
            MemorySegment[] rows =
                    ShuffleKernel.planes(bits.asSlice(plane, rowBytes * Byte.SIZE), Byte.SIZE);
            long to = plane + Byte.SIZE * first;
            unshuffle(rows, ElementRows.one(first, rowBytes, planes, to));
            transposeEach(planes, to, plane + Byte.SIZE * rowBytes);
        }
    }

    private static void transposeEach(MemorySegment matrices, long from, long to) {
        long[] some = new long[(int) Math.min((to - from) / Long.BYTES, STEP_MATRICES)];
        for (long at = from; at < to; at += STEP_MATRICES * Long.BYTES) {
            int count = (int) Math.min((to - at) / Long.BYTES, STEP_MATRICES);
            MemorySegment.copy(matrices, LE_LONG, at, some, 0, count);
            for (int i = 0; i < count; i++) {
                some[i] = transpose(some[i]);
            }
            MemorySegment.copy(some, 0, matrices, LE_LONG, at, count);
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
