package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/**
 * Elements of a block whose bytes lie apart: a plane of all first bytes, one of all second bytes,
 * and so on, each where it happens to be.
 *
 * <p>Owner: one thread, as long as the planes' memory is valid.
 */
public final class BytePlanes {
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
        return new BytePlanes(ShuffleKernel.planes(shuffled, elementBytes));
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
        return rowBytes / elementBytes
                >= ShuffleDispatch.rowElementsMin(elementBytes, bytes, target);
    }

    /**
     * Puts the bytes of elements side by side.
     *
     * @param rows of elements of this block
     */
    public void put(ElementRows rows) {
        ShuffleDispatch.of(planes, rows).unshuffle(planes, rows);
    }
}
