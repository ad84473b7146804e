package io.zarrengine.zarr.place;

import java.lang.foreign.MemorySegment;

/**
 * Copies a {@link StridedBox} of elements, and reverses their bytes if required.
 *
 * <p>One loop copies a plane, which is the two innermost dimensions: rows of bytes if elements are
 * adjacent on both sides ({@link RowCopy}), otherwise elements ({@link ElementCopy}).
 */
public final class Scatter {
    private Scatter() {}

    /**
     * Copies a box in Java.
     *
     * @param box the elements, and their places in the target
     * @param source the decoded chunk
     * @param target of the region; native or heap memory
     * @param swapBytes size of the units whose bytes are reversed; 1 for none
     */
    public static void copy(
            StridedBox box, MemorySegment source, MemorySegment target, int swapBytes) {
        long from = box.sourceOffset();
        long to = box.targetOffset();
        if (swapBytes > 1 || !box.hasRows()) {
            copyElements(box, 0, elements(box, source, target, swapBytes), from, to);
        } else if (box.rank() < 2) {
            MemorySegment.copy(source, from, target, to, box.rowBytes());
        } else {
            copyPlanes(box, 0, rows(box, source, target), from, to);
        }
    }

    /**
     * Copies a box, by machine code if that {@linkplain #isMachineCodeFaster is faster}.
     *
     * @param box the elements, and their places in the target
     * @param source the decoded chunk, which stays valid during the call; read-only if it may be in
     *     a mapped file, which machine code reads only if it can survive a truncation
     * @param target of the region; native or heap memory
     * @param swapBytes size of the units whose bytes are reversed; 1 for none
     */
    public static void copyFastest(
            StridedBox box, MemorySegment source, MemorySegment target, int swapBytes) {
        if (!RowCopyCalls.mayRead(source) || !isMachineCodeFaster(box, target, swapBytes)) {
            copy(box, source, target, swapBytes);
        } else if (box.hasRows()) {
            RowCopyCalls.copy(box, source, target);
        } else {
            ElementCopyCalls.copy(box, source, target);
        }
    }

    /**
     * {@return whether {@link #copyFastest} copies faster than {@link #copy}}
     *
     * @param box the elements, and their places in the target
     * @param target of the region
     * @param swapBytes size of the units whose bytes are reversed; 1 for none
     */
    static boolean isMachineCodeFaster(StridedBox box, MemorySegment target, int swapBytes) {
        boolean takes =
                box.hasRows()
                        ? RowCopyCalls.takes(box, target)
                        : ElementCopyCalls.takes(box, target);
        return swapBytes <= 1 && takes;
    }

    private static RowCopy rows(StridedBox box, MemorySegment source, MemorySegment target) {
        int plane = box.rank() - 2;
        return new RowCopy(
                box.count(plane),
                box.rowBytes(),
                source,
                box.sourceStride(plane),
                target,
                box.targetStride(plane));
    }

    private static void copyPlanes(StridedBox box, int d, RowCopy rows, long from, long to) {
        if (d == box.rank() - 2) {
            rows.copy(from, to);
            return;
        }
        for (long i = 0; i < box.count(d); i++) {
            long fromHere = from + i * box.sourceStride(d);
            copyPlanes(box, d + 1, rows, fromHere, to + i * box.targetStride(d));
        }
    }

    /** Returns the copy of rows along the last dimension; one row for a single element. */
    private static ElementCopy elements(
            StridedBox box, MemorySegment source, MemorySegment target, int swapBytes) {
        int last = box.rank() - 1;
        return new ElementCopy(
                last < 0 ? 1 : box.count(last),
                box.elementBytes(),
                swapBytes,
                source,
                last < 0 ? 0 : box.sourceStride(last),
                target,
                last < 0 ? 0 : box.targetStride(last));
    }

    private static void copyElements(
            StridedBox box, int d, ElementCopy elements, long from, long to) {
        if (d >= box.rank() - 1) {
            elements.copy(from, to);
            return;
        }
        for (long i = 0; i < box.count(d); i++) {
            long fromHere = from + i * box.sourceStride(d);
            copyElements(box, d + 1, elements, fromHere, to + i * box.targetStride(d));
        }
    }
}
