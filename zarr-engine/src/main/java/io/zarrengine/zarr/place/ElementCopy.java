package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Copies rows of elements at equal distances, and reverses their bytes if required.
 *
 * @param count number of elements in a row
 * @param elementBytes size of an element
 * @param swapBytes size of the units whose bytes are reversed; 1 for none
 * @param source native or heap memory
 * @param sourceStride from one element to the next in the source, in bytes
 * @param target native or heap memory
 * @param targetStride from one element to the next in the target, in bytes; may be negative
 */
record ElementCopy(
        long count,
        int elementBytes,
        int swapBytes,
        MemorySegment source,
        long sourceStride,
        MemorySegment target,
        long targetStride) {

    /** Copies a row from byte {@code from} of the source to byte {@code to} of the target. */
    void copy(long from, long to) {
        if (swapBytes > 1 && sourceStride == elementBytes && targetStride == elementBytes) {
            ByteSwap.copy(swapBytes, source, from, target, to, count * elementBytes);
            return;
        }
        int unit = swapBytes == 1 ? elementBytes : swapBytes;
        for (int at = 0; at < elementBytes; at += unit) {
            copyUnits(unit, from + at, to + at);
        }
    }

    private void copyUnits(int unitBytes, long from, long to) {
        boolean swap = swapBytes > 1;
        switch (unitBytes) {
            case 1 -> copyBytes(from, to);
            case 2 -> copyShorts(swap, from, to);
            case 4 -> copyInts(swap, from, to);
            case 8 -> copyLongs(swap, from, to);
            default -> {
                assert !swap : "no type has units of " + unitBytes + " bytes";
                new RowCopy(count, unitBytes, source, sourceStride, target, targetStride)
                        .copy(from, to);
            }
        }
    }

    private void copyBytes(long from, long to) {
        for (long i = 0; i < count; i++) {
            byte value = source.get(JAVA_BYTE, from + i * sourceStride);
            target.set(JAVA_BYTE, to + i * targetStride, value);
        }
    }

    private void copyShorts(boolean swap, long from, long to) {
        for (long i = 0; i < count; i++) {
            short value = source.get(JAVA_SHORT_UNALIGNED, from + i * sourceStride);
            short copied = swap ? Short.reverseBytes(value) : value;
            target.set(JAVA_SHORT_UNALIGNED, to + i * targetStride, copied);
        }
    }

    private void copyInts(boolean swap, long from, long to) {
        for (long i = 0; i < count; i++) {
            int value = source.get(JAVA_INT_UNALIGNED, from + i * sourceStride);
            int copied = swap ? Integer.reverseBytes(value) : value;
            target.set(JAVA_INT_UNALIGNED, to + i * targetStride, copied);
        }
    }

    private void copyLongs(boolean swap, long from, long to) {
        for (long i = 0; i < count; i++) {
            long value = source.get(JAVA_LONG_UNALIGNED, from + i * sourceStride);
            long copied = swap ? Long.reverseBytes(value) : value;
            target.set(JAVA_LONG_UNALIGNED, to + i * targetStride, copied);
        }
    }
}
