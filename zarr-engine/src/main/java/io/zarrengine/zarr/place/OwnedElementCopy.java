package io.zarrengine.zarr.place;

import io.zarrengine.bindings.MachineCodeRowCopy;
import io.zarrengine.bindings.Rows;
import java.lang.foreign.MemorySegment;

/**
 * Copies elements that lie apart by machine code ({@link MachineCodeRowCopy#copyElements}): of a
 * chunk whose dimensions are transposed, or wanted in steps. Java checks each of them, and
 * transposes element by element.
 *
 * @param box which elements, and where they go
 * @param plane the dimension besides the last one that a call copies; -1 if there is none
 * @param source where they are
 * @param target where they go
 */
record OwnedElementCopy(StridedBox box, int plane, MemorySegment source, MemorySegment target) {
    /** A call takes as long as Java takes for some elements. */
    private static final long ELEMENTS_MIN = 32;

    /** A call that may not be long copies a tile: what it reads of a line, it reads at once. */
    private static final long TILE_ROWS = 64;

    /** {@return whether a box that has no rows should be copied so} */
    static boolean takes(StridedBox box, MemorySegment target) {
        long elements = elements(box, plane(box));
        return MachineCodeRowCopy.areElements(box.elementBytes())
                && elements >= ELEMENTS_MIN
                && OwnedRowCopy.isWorthACall(elements * box.elementBytes(), target)
                && OwnedRowCopy.canCopyTo(target, box.elementBytes());
    }

    /** One along which elements lie side by side in the source: with the last one a matrix. */
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

    /** Copies a box that it {@link #takes}. */
    static void copy(StridedBox box, MemorySegment source, MemorySegment target) {
        new OwnedElementCopy(box, plane(box), source, target)
                .copy(0, box.sourceOffset(), box.targetOffset());
    }

    /** All dimensions from {@code d} on. */
    private void copy(int d, long from, long to) {
        if (d == plane) {
            copy(d + 1, from, to);
        } else if (d == box.rank() - 1) {
            OwnedRowCopy.copy(
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

    private Rows elements(int last) {
        return new Rows(
                box.elementBytes(),
                box.count(last),
                box.sourceStride(last),
                box.targetStride(last),
                plane < 0 ? 1 : box.count(plane),
                plane < 0 ? 0 : box.sourceStride(plane),
                plane < 0 ? 0 : box.targetStride(plane));
    }
}
