package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;

/** Says which boxes machine code should place that also decodes. */
public final class BoxCalls {
    /** Shortest row of shuffled elements that machine code handles in whole steps. */
    private static final long ROW_ELEMENTS_MIN = 16;

    /**
     * So few elements are put together one by one as fast as Java decodes what it does not need.
     */
    private static final long FEW_BYTES = 8 << 10;

    private BoxCalls() {}

    /**
     * {@return whether such a call may write a target}
     *
     * @param target of the boxes
     * @param bytes of all boxes
     */
    public static boolean mayWrite(MemorySegment target, long bytes) {
        return !target.isReadOnly() && ElementRows.mayBePutByACall(bytes, target);
    }

    /**
     * {@return whether a call is fast for a box}
     *
     * @param box of elements that may be shuffled
     */
    public static boolean suit(StridedBox box) {
        int elementBytes = box.elementBytes();
        boolean areLong = elementBytes == 1 || box.rowBytes() >= ROW_ELEMENTS_MIN * elementBytes;
        return (areLong || box.bytes() <= FEW_BYTES) && box.hasRowsInSourceOrder();
    }

    /**
     * {@return whether rows should be written past the caches}
     *
     * @param box of the rows
     * @param target of the box
     */
    public static boolean areFar(StridedBox box, MemorySegment target) {
        return RowCopyCalls.takesFar(box, target);
    }
}
