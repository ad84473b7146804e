package io.zarrengine.zarr.place;

import io.zarrengine.bindings.machinecode.RowPlanes;
import java.lang.foreign.MemorySegment;

/**
 * Rows of elements of one length at equal distances, in a block and in the target.
 *
 * @param rows number of rows
 * @param elements of each row
 * @param from first element, counted in the block
 * @param stride from one row to the next in the block, in elements
 * @param target of the elements
 * @param to offset of the first element in the target, in bytes
 * @param targetStride from one row to the next in the target, in bytes; may be negative
 */
public record ElementRows(
        long rows,
        long elements,
        long from,
        long stride,
        MemorySegment target,
        long to,
        long targetStride) {
    /** Cost in Java of putting elements together, as a multiple of copying them. */
    private static final long COST = 4;

    /**
     * {@return one row}
     *
     * @param from its first element, counted in the block
     * @param end of its elements, exclusive
     * @param target of the elements
     * @param to offset of the first element in the target, in bytes
     */
    public static ElementRows one(long from, long end, MemorySegment target, long to) {
        return new ElementRows(1, end - from, from, 0, target, to, 0);
    }

    /**
     * {@return some of these rows}
     *
     * @param first first row
     * @param end of the rows, exclusive
     */
    public ElementRows rows(long first, long end) {
        return new ElementRows(
                end - first,
                elements,
                from + first * stride,
                stride,
                target,
                to + first * targetStride,
                targetStride);
    }

    /**
     * {@return some elements of each row}
     *
     * @param first first element
     * @param end of the elements, exclusive
     * @param elementBytes size of an element
     */
    public ElementRows columns(long first, long end, int elementBytes) {
        return new ElementRows(
                rows,
                end - first,
                from + first,
                stride,
                target,
                to + first * elementBytes,
                targetStride);
    }

    /**
     * {@return whether a call of machine code may put elements together, and is worth it}
     *
     * @param bytes of the elements
     * @param target of the elements
     */
    public static boolean mayBePutByACall(long bytes, MemorySegment target) {
        return target.isNative()
                && !target.isMapped()
                && RowCopyCalls.isWorthACall(COST * bytes, target);
    }

    /** {@return the same rows for machine code, which counts an element as one byte of a plane} */
    public RowPlanes ofBytes() {
        return new RowPlanes(elements, rows, stride, targetStride, 1, 0, 0);
    }
}
