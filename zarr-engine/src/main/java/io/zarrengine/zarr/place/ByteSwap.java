package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Copies units side by side and reverses the bytes of each: 8 bytes at a time, in words. Unit by
 * unit, those of 2 bytes take seven times as long, those of 4 five times.
 */
public final class ByteSwap {
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL; // of units of two

    private ByteSwap() {}

    /**
     * {@return whether units of a size can be copied so}
     *
     * @param unitBytes the size
     */
    public static boolean takes(int unitBytes) {
        return unitBytes == Short.BYTES || unitBytes == Integer.BYTES || unitBytes == Long.BYTES;
    }

    /**
     * Copies.
     *
     * @param unitBytes a size that it {@link #takes}
     * @param source where the units are; native or heap memory
     * @param from of the first, in bytes
     * @param target where they go, in other memory; native or heap
     * @param to of the first, in bytes
     * @param bytes of all of them: a multiple of {@code unitBytes}
     */
    public static void copy(
            int unitBytes,
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            long bytes) {
        switch (unitBytes) {
            case Short.BYTES -> copyShorts(source, from, target, to, bytes);
            case Integer.BYTES -> copyInts(source, from, target, to, bytes);
            case Long.BYTES -> copyLongs(source, from, target, to, bytes);
            default -> throw new AssertionError("no type has units of " + unitBytes + " bytes");
        }
    }

    private static void copyShorts(
            MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        long words = bytes & -Long.BYTES;
        for (long i = 0; i < words; i += Long.BYTES) {
            long word = source.get(JAVA_LONG_UNALIGNED, from + i);
            long first = (word & LOW_BYTES) << Byte.SIZE;
            long second = (word >>> Byte.SIZE) & LOW_BYTES;
            target.set(JAVA_LONG_UNALIGNED, to + i, first | second);
        }
        for (long i = words; i < bytes; i += Short.BYTES) {
            short unit = source.get(JAVA_SHORT_UNALIGNED, from + i);
            target.set(JAVA_SHORT_UNALIGNED, to + i, Short.reverseBytes(unit));
        }
    }

    private static void copyInts(
            MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        long words = bytes & -Long.BYTES;
        for (long i = 0; i < words; i += Long.BYTES) {
            long reversed = Long.reverseBytes(source.get(JAVA_LONG_UNALIGNED, from + i));
            target.set(JAVA_LONG_UNALIGNED, to + i, Long.rotateLeft(reversed, Integer.SIZE));
        }
        if (words < bytes) {
            int unit = source.get(JAVA_INT_UNALIGNED, from + words);
            target.set(JAVA_INT_UNALIGNED, to + words, Integer.reverseBytes(unit));
        }
    }

    private static void copyLongs(
            MemorySegment source, long from, MemorySegment target, long to, long bytes) {
        for (long i = 0; i < bytes; i += Long.BYTES) {
            long unit = source.get(JAVA_LONG_UNALIGNED, from + i);
            target.set(JAVA_LONG_UNALIGNED, to + i, Long.reverseBytes(unit));
        }
    }
}
