package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Copies adjacent units and reverses the bytes of each, 8 bytes at a time. Copying unit by unit
 * takes seven times as long for 2 bytes, five times for 4.
 */
public final class ByteSwap {
    private static final long LOW_BYTES = 0x00ff_00ff_00ff_00ffL; // of units of two

    private ByteSwap() {}

    /**
     * {@return whether units of a size can be copied this way}
     *
     * @param unitBytes the size
     */
    public static boolean takes(int unitBytes) {
        return unitBytes == Short.BYTES || unitBytes == Integer.BYTES || unitBytes == Long.BYTES;
    }

    /**
     * Copies units.
     *
     * @param unitBytes a size that this {@link #takes}
     * @param source holds the units; native or heap memory
     * @param from offset of the first unit, in bytes
     * @param target other memory than the source; native or heap
     * @param to offset of the first unit in the target, in bytes
     * @param bytes of all units: a multiple of {@code unitBytes}
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
