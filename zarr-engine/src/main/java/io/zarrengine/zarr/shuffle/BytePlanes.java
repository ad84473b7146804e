package io.zarrengine.zarr.shuffle;

import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.MemorySegment;

/**
 * Elements of a block as planes: all first bytes, all second bytes, and so on. Each plane may be
 * anywhere in memory.
 *
 * <p>Owner: one thread, as long as the planes' memory is valid.
 */
public final class BytePlanes {
    private final MemorySegment[] planes;

    /**
     * Creates an object for planes.
     *
     * @param planes one for each byte of an element; the size of each is the number of elements
     */
    public BytePlanes(MemorySegment... planes) {
        this.planes = planes;
    }

    /** {@return adjacent planes; bytes after the last plane belong to no element} */
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
     * {@return whether {@link #put} is fast for rows of a length} Otherwise it is faster to put all
     * elements together first, and then to copy rows.
     *
     * @param rowBytes the length of a row
     * @param elementBytes size of an element
     * @param bytes of all rows
     * @param target of the rows
     */
    public static boolean putsFast(
            long rowBytes, int elementBytes, long bytes, MemorySegment target) {
        return rowBytes / elementBytes
                >= ShuffleDispatch.rowElementsMin(elementBytes, bytes, target);
    }

    /**
     * Puts the bytes of elements together.
     *
     * @param rows of elements of this block
     */
    public void put(ElementRows rows) {
        ShuffleDispatch.of(planes, rows).unshuffle(planes, rows);
    }
}
