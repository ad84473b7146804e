package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.zarrengine.zarr.datatype.SmallNumberRun;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sets the upper bits of numbers of less than 8 bits, which {@code bytes} stores in a byte each.
 *
 * @param runs the numbers of an element
 * @param elementBytes size of an element
 * @param elements number of elements
 */
record ExtendBits(List<SmallNumberRun> runs, int elementBytes, long elements)
        implements ArrayFilter {
    @Override
    public String name() {
        return "bytes";
    }

    @Override
    public long encodedBytes() {
        return elements * elementBytes;
    }

    @Override
    public boolean keepsValues() {
        return true;
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays) {
        SmallNumberRun first = runs.getFirst();
        if (first.count() == elementBytes) {
            extendAll(first, encoded, decoded);
            return;
        }
        decoded.copyFrom(encoded);
        for (SmallNumberRun run : runs) {
            for (long element = 0; element < elements; element++) {
                long from = element * elementBytes + run.offset();
                for (long at = from; at < from + run.count(); at++) {
                    decoded.set(JAVA_BYTE, at, (byte) run.extended(decoded.get(JAVA_BYTE, at)));
                }
            }
        }
    }

    private static void extendAll(
            SmallNumberRun run, MemorySegment encoded, MemorySegment decoded) {
        long bytes = encoded.byteSize();
        long at = 0;
        for (; at <= bytes - Long.BYTES; at += Long.BYTES) {
            decoded.set(
                    JAVA_LONG_UNALIGNED, at, run.extended(encoded.get(JAVA_LONG_UNALIGNED, at)));
        }
        for (; at < bytes; at++) {
            decoded.set(JAVA_BYTE, at, (byte) run.extended(encoded.get(JAVA_BYTE, at)));
        }
    }
}
