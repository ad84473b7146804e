package io.zarrengine.zarr.place;

import io.zarrengine.bindings.Rows;
import java.lang.foreign.MemorySegment;

/**
 * Rows of elements of one length at equal distances: where they lie among the elements of a block,
 * and where they go.
 *
 * @param rows how many
 * @param elements of each row
 * @param from the first element, counted in the block
 * @param stride from one row to the next in the block, in elements
 * @param target where they go
 * @param to where the first one goes, in bytes
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
    /** Java puts elements together so many times as slowly as it copies them. */
    private static final long COST = 4;

    /**
     * {@return one row}
     *
     * @param from the first element of it, counted in the block
     * @param end behind the last one
     * @param target where they go
     * @param to where the first one goes, in bytes
     */
    public static ElementRows one(long from, long end, MemorySegment target, long to) {
        return new ElementRows(1, end - from, from, 0, target, to, 0);
    }

    /**
     * {@return some of these rows}
     *
     * @param first the first of them
     * @param end behind the last one
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
     * @param first the first of them
     * @param end behind the last one
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
     * @param target where they go
     */
    public static boolean mayBePutByACall(long bytes, MemorySegment target) {
        return target.isNative()
                && !target.isMapped()
                && OwnedRowCopy.isWorthACall(COST * bytes, target);
    }

    /** {@return the same for machine code, to which an element is a byte of a plane} */
    public Rows ofBytes() {
        return new Rows(elements, rows, stride, targetStride, 1, 0, 0);
    }
}
