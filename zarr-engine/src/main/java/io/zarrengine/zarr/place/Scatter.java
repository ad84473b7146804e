package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies a {@link StridedBox} of elements, and reverses their bytes where that is asked. */
public final class Scatter {
    private Scatter() {}

    /**
     * Copies.
     *
     * @param box which elements, and where they go
     * @param source the decoded chunk
     * @param target where the region goes; native or heap memory
     * @param swapBytes size of the units whose bytes are reversed; 1 for none
     */
    public static void copy(
            StridedBox box, MemorySegment source, MemorySegment target, int swapBytes) {
        copy(box, 0, source, box.sourceOffset(), target, box.targetOffset(), swapBytes);
    }

    private static void copy(
            StridedBox box,
            int d,
            MemorySegment source,
            long sourceAt,
            MemorySegment target,
            long targetAt,
            int swapBytes) {
        if (d >= box.rank() - 1) {
            copyRow(box, source, sourceAt, target, targetAt, swapBytes);
            return;
        }
        for (long i = 0; i < box.count(d); i++) {
            copy(
                    box,
                    d + 1,
                    source,
                    sourceAt + i * box.sourceStride(d),
                    target,
                    targetAt + i * box.targetStride(d),
                    swapBytes);
        }
    }

    private static void copyRow(
            StridedBox box,
            MemorySegment source,
            long sourceAt,
            MemorySegment target,
            long targetAt,
            int swapBytes) {
        int last = box.rank() - 1;
        int elementBytes = box.elementBytes();
        long count = last < 0 ? 1 : box.count(last);
        long sourceStride = last < 0 ? elementBytes : box.sourceStride(last);
        long targetStride = last < 0 ? elementBytes : box.targetStride(last);
        boolean runs = sourceStride == elementBytes && targetStride == elementBytes;
        if (runs && swapBytes == 1) {
            MemorySegment.copy(source, sourceAt, target, targetAt, count * elementBytes);
            return;
        }
        for (long i = 0; i < count; i++) {
            copyElement(
                    source,
                    sourceAt + i * sourceStride,
                    target,
                    targetAt + i * targetStride,
                    elementBytes,
                    swapBytes);
        }
    }

    /** An element is copied unit by unit: whole, or each part whose bytes are reversed. */
    private static void copyElement(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            int elementBytes,
            int swapBytes) {
        int unit = swapBytes == 1 ? elementBytes : swapBytes;
        boolean swap = swapBytes > 1;
        for (int at = 0; at < elementBytes; at += unit) {
            copyUnit(source, from + at, target, to + at, unit, swap);
        }
    }

    private static void copyUnit(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            int bytes,
            boolean swap) {
        switch (bytes) {
            case 1 -> target.set(JAVA_BYTE, to, source.get(JAVA_BYTE, from));
            case 2 -> {
                short value = source.get(JAVA_SHORT_UNALIGNED, from);
                target.set(JAVA_SHORT_UNALIGNED, to, swap ? Short.reverseBytes(value) : value);
            }
            case 4 -> {
                int value = source.get(JAVA_INT_UNALIGNED, from);
                target.set(JAVA_INT_UNALIGNED, to, swap ? Integer.reverseBytes(value) : value);
            }
            case 8 -> {
                long value = source.get(JAVA_LONG_UNALIGNED, from);
                target.set(JAVA_LONG_UNALIGNED, to, swap ? Long.reverseBytes(value) : value);
            }
            default -> {
                assert !swap : "no type has units of " + bytes + " bytes";
                MemorySegment.copy(source, from, target, to, bytes);
            }
        }
    }
}
