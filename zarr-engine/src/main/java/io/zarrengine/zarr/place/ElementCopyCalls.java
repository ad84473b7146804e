package io.zarrengine.zarr.place;

import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.bindings.machinecode.RowPlanes;
import java.lang.foreign.MemorySegment;

/**
 * Copies scattered elements by machine code ({@link MachineCodeRowCopy#copyElements}), for chunks
 * that are transposed or wanted in steps. Java checks the bounds of each element, and transposes
 * element by element.
 *
 * @param box the elements, and their places in the target
 * @param plane the dimension besides the last one that a call copies; -1 if there is none
 * @param source of the elements
 * @param target of the elements
 */
record ElementCopyCalls(StridedBox box, int plane, MemorySegment source, MemorySegment target) {
    /** Number of elements that Java copies in the time of a call. */
    private static final long ELEMENTS_MIN = 32;

    /**
     * Rows of a tile. A call of limited length copies a tile, so that it reads a cache line once.
     */
    private static final long TILE_ROWS = 64;

    /** {@return whether this class should copy a box that has no rows} */
    static boolean takes(StridedBox box, MemorySegment target) {
        long elements = elements(box, plane(box));
        return MachineCodeRowCopy.areElements(box.elementBytes())
                && elements >= ELEMENTS_MIN
                && RowCopyCalls.isWorthACall(elements * box.elementBytes(), target)
                && RowCopyCalls.canCopyTo(target, box.elementBytes());
    }

    /**
     * Returns a dimension whose elements are adjacent in the source. Together with the last
     * dimension it is a matrix.
     */
    private static int plane(StridedBox box) {
        for (int d = 0; d < box.rank() - 1; d++) {
            if (box.sourceStride(d) == box.elementBytes() && elements(box, d) >= ELEMENTS_MIN) {
                return d;
            }
        }
        return box.rank() - 2;
    }

    private static long elements(StridedBox box, int plane) {
        return box.count(box.rank() - 1) * (plane < 0 ? 1 : box.count(plane));
    }

    /** Copies a box that this {@link #takes}. */
    static void copy(StridedBox box, MemorySegment source, MemorySegment target) {
        new ElementCopyCalls(box, plane(box), source, target)
                .copy(0, box.sourceOffset(), box.targetOffset());
    }

    /** Copies all dimensions from {@code d} on. */
    private void copy(int d, long from, long to) {
        if (d == plane) {
            copy(d + 1, from, to);
        } else if (d == box.rank() - 1) {
            RowCopyCalls.copy(
                    source,
                    from,
                    target,
                    to,
                    elements(d),
                    TILE_ROWS,
                    MachineCodeRowCopy::copyElements);
        } else {
            for (long i = 0; i < box.count(d); i++) {
                copy(d + 1, from + i * box.sourceStride(d), to + i * box.targetStride(d));
            }
        }
    }

    private RowPlanes elements(int last) {
        return new RowPlanes(
                box.elementBytes(),
                box.count(last),
                box.sourceStride(last),
                box.targetStride(last),
                plane < 0 ? 1 : box.count(plane),
                plane < 0 ? 0 : box.sourceStride(plane),
                plane < 0 ? 0 : box.targetStride(plane));
    }
}
