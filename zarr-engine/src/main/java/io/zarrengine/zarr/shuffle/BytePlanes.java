package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.NativeShuffle;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Elements of a block whose bytes lie apart: a plane of all first bytes, one of all second bytes,
 * and so on, each where it happens to be.
 *
 * <p>Owner: one thread, as long as the planes' memory is valid.
 */
public final class BytePlanes {
    /** By the size of an element. */
    private static final VectorWarmup[] WARMUPS = new VectorWarmup[Long.BYTES + 1];

    /** Elements of a row that machine code puts together in steps. */
    private static final long CODE_ROW_ELEMENTS_MIN = 16;

    /** Elements of a row that is worth two copies of its own. */
    private static final long WORD_ROW_ELEMENTS_MIN = 256;

    /** What is put together in an array at once. */
    private static final int STEP_BYTES = 8 << 10;

    static {
        Arrays.setAll(WARMUPS, bytes -> new VectorWarmup());
    }

    private final MemorySegment[] planes;

    /**
     * Takes the planes.
     *
     * @param planes one for each byte of an element, of as many bytes as there are elements
     */
    public BytePlanes(MemorySegment... planes) {
        this.planes = planes;
    }

    /** {@return planes that lie one behind the other; what is left behind them is of no element} */
    public static BytePlanes of(MemorySegment shuffled, int elementBytes) {
        long elements = shuffled.byteSize() / elementBytes;
        MemorySegment[] planes = new MemorySegment[elementBytes];
        for (int b = 0; b < elementBytes; b++) {
            planes[b] = shuffled.asSlice(b * elements, elements);
        }
        return new BytePlanes(planes);
    }

    /** {@return the size of an element} */
    public int elementBytes() {
        return planes.length;
    }

    /** {@return the number of elements} */
    public long elements() {
        return planes[0].byteSize();
    }

    /**
     * {@return whether {@link #put} does rows of that length fast} Else it is faster to put all
     * elements side by side before they are copied row by row.
     *
     * @param rowBytes the length of a row
     * @param elementBytes size of an element
     * @param bytes of all rows
     * @param target where they go
     */
    public static boolean putsFast(
            long rowBytes, int elementBytes, long bytes, MemorySegment target) {
        if (NativeShuffle.handles(elementBytes) && ElementRows.mayBePutByACall(bytes, target)) {
            return rowBytes >= CODE_ROW_ELEMENTS_MIN * elementBytes;
        }
        return putsWithVectors(rowBytes, elementBytes)
                || (WordByteShuffle.handles(elementBytes)
                        && rowBytes >= WORD_ROW_ELEMENTS_MIN * elementBytes);
    }

    /** {@return whether it does so with vectors} */
    static boolean putsWithVectors(long rowBytes, int elementBytes) {
        return VectorUnit.IS_THERE
                && VectorByteShuffle.handles(elementBytes)
                && rowBytes >= VectorZip.VECTOR_BYTES * elementBytes;
    }

    /**
     * Puts the bytes of elements side by side: by machine code, or with vectors if the Vector API
     * is there.
     *
     * @param rows of elements of this block
     */
    public void put(ElementRows rows) {
        if (mayPutByMachineCode(rows)) {
            NativeShuffle.unshuffle(planes, rows.from(), rows.target(), rows.to(), rows.ofBytes());
        } else {
            putInJava(rows);
        }
    }

    /** With vectors if the Vector API is there, as soon as they are compiled. */
    void putInJava(ElementRows rows) {
        if (!putsWithVectors(rows.elements() * planes.length, planes.length)) {
            putEach(rows);
        } else if (WARMUPS[planes.length].isOver()) {
            putWithVectors(rows);
        } else if (rows.rows() > 1) {
            long some = Math.ceilDiv(rows.rows(), VectorWarmup.SHARE);
            putBoth(rows.rows(0, some), rows.rows(some, rows.rows()));
        } else {
            putBoth(rows, WARMUPS[planes.length].share(rows.elements(), VectorZip.VECTOR_BYTES));
        }
    }

    private boolean mayPutByMachineCode(ElementRows rows) {
        long bytes = rows.rows() * rows.elements() * planes.length;
        if (!NativeShuffle.handles(planes.length)
                || !ElementRows.mayBePutByACall(bytes, rows.target())) {
            return false;
        }
        for (MemorySegment plane : planes) {
            if (!plane.isNative()) {
                return false;
            }
        }
        return true;
    }

    private void putBoth(ElementRows row, long some) {
        if (some == row.elements()) { // There is nothing to compare with.
            putEach(row);
        } else {
            putBoth(
                    row.columns(0, some, planes.length),
                    row.columns(some, row.elements(), planes.length));
        }
    }

    /** Puts the first ones with vectors and the others without, and compares the times. */
    private void putBoth(ElementRows first, ElementRows others) {
        long begin = System.nanoTime();
        putWithVectors(first);
        long middle = System.nanoTime();
        putEach(others);
        long end = System.nanoTime();
        WARMUPS[planes.length].compare(
                middle - begin,
                first.rows() * first.elements(),
                end - middle,
                others.rows() * others.elements());
    }

    /**
     * Puts the bytes of elements of 2, 4 or 8 bytes side by side, where the Vector API is there.
     *
     * @param rows of at least {@link VectorZip#VECTOR_BYTES} elements of this block
     */
    void putWithVectors(ElementRows rows) {
        VectorByteShuffle.unshuffle(planes, rows);
    }

    /**
     * Puts the bytes of elements side by side without vectors: 8 elements at a time where that can
     * be, and what is left byte by byte.
     *
     * @param rows of elements of this block
     */
    void putEach(ElementRows rows) {
        boolean hasWords = WordByteShuffle.handles(planes.length);
        long inWords = hasWords ? rows.elements() & -WordByteShuffle.WORD_BYTES : 0;
        if (inWords > 0) {
            WordByteShuffle.unshuffle(planes, rows.columns(0, inWords, planes.length));
        }
        if (inWords < rows.elements()) {
            putBytes(rows.columns(inWords, rows.elements(), planes.length));
        }
    }

    /** In arrays, for loops over memory segments are fast only when C2 has compiled them. */
    private void putBytes(ElementRows rows) {
        int elementBytes = planes.length;
        int step = (int) Math.min(rows.elements(), Math.ceilDiv(STEP_BYTES, elementBytes));
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
}
