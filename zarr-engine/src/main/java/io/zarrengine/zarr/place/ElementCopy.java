package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies elements at equal distances, and reverses their bytes where that is asked. */
final class ElementCopy {
    private ElementCopy() {}

    /**
     * Copies.
     *
     * @param count how many elements
     * @param elementBytes size of an element
     * @param swapBytes size of the units whose bytes are reversed; 1 for none
     * @param from where they are
     * @param to where they go
     */
    static void copy(long count, int elementBytes, int swapBytes, Lane from, Lane to) {
        int unit = swapBytes == 1 ? elementBytes : swapBytes;
        for (int at = 0; at < elementBytes; at += unit) {
            copyUnits(count, unit, swapBytes > 1, from.moved(at), to.moved(at));
        }
    }

    private static void copyUnits(long count, int unitBytes, boolean swap, Lane from, Lane to) {
        switch (unitBytes) {
            case 1 -> copyBytes(count, from, to);
            case 2 -> copyShorts(count, swap, from, to);
            case 4 -> copyInts(count, swap, from, to);
            case 8 -> copyLongs(count, swap, from, to);
            default -> {
                assert !swap : "no type has units of " + unitBytes + " bytes";
                new RowCopy(
                                count,
                                unitBytes,
                                from.memory(),
                                from.stride(),
                                to.memory(),
                                to.stride())
                        .copy(from.offset(), to.offset());
            }
        }
    }

    private static void copyBytes(long count, Lane from, Lane to) {
        MemorySegment source = from.memory();
        MemorySegment target = to.memory();
        for (long i = 0; i < count; i++) {
            byte value = source.get(JAVA_BYTE, from.offset() + i * from.stride());
            target.set(JAVA_BYTE, to.offset() + i * to.stride(), value);
        }
    }

    private static void copyShorts(long count, boolean swap, Lane from, Lane to) {
        MemorySegment source = from.memory();
        MemorySegment target = to.memory();
        for (long i = 0; i < count; i++) {
            short value = source.get(JAVA_SHORT_UNALIGNED, from.offset() + i * from.stride());
            short copied = swap ? Short.reverseBytes(value) : value;
            target.set(JAVA_SHORT_UNALIGNED, to.offset() + i * to.stride(), copied);
        }
    }

    private static void copyInts(long count, boolean swap, Lane from, Lane to) {
        MemorySegment source = from.memory();
        MemorySegment target = to.memory();
        for (long i = 0; i < count; i++) {
            int value = source.get(JAVA_INT_UNALIGNED, from.offset() + i * from.stride());
            int copied = swap ? Integer.reverseBytes(value) : value;
            target.set(JAVA_INT_UNALIGNED, to.offset() + i * to.stride(), copied);
        }
    }

    private static void copyLongs(long count, boolean swap, Lane from, Lane to) {
        MemorySegment source = from.memory();
        MemorySegment target = to.memory();
        for (long i = 0; i < count; i++) {
            long value = source.get(JAVA_LONG_UNALIGNED, from.offset() + i * from.stride());
            long copied = swap ? Long.reverseBytes(value) : value;
            target.set(JAVA_LONG_UNALIGNED, to.offset() + i * to.stride(), copied);
        }
    }
}
