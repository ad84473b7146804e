package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.place.ByteSwap;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Brings the bytes of elements to native order, unit by unit.
 *
 * @param runs the units of an element whose bytes are reversed
 * @param elementBytes size of an element
 * @param elements number of elements
 */
record ReverseBytes(List<ByteOrderRun> runs, int elementBytes, long elements)
        implements ArrayFilter {
    @Override
    public String name() {
        return "bytes";
    }

    @Override
    public long encodedBytes() {
        return elements * elementBytes;
    }

    /** Returns whether an element is one number. */
    boolean isOfNumbers() {
        return runs.equals(List.of(new ByteOrderRun(0, elementBytes, 1)));
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays) {
        ByteOrderRun first = runs.getFirst();
        if (ByteSwap.takes(first.unit()) && first.unit() * first.count() == elementBytes) {
            ByteSwap.copy(first.unit(), encoded, 0, decoded, 0, encodedBytes());
            return;
        }
        decoded.copyFrom(encoded);
        for (ByteOrderRun run : runs) {
            for (long i = 0; i < elements; i++) {
                long at = i * elementBytes + run.offset();
                for (int unit = 0; unit < run.count(); unit++) {
                    reverse(decoded, at + (long) unit * run.unit(), run.unit());
                }
            }
        }
    }

    private static void reverse(MemorySegment bytes, long from, int length) {
        for (int i = 0; i < length / 2; i++) {
            byte swapped = bytes.get(JAVA_BYTE, from + i);
            long other = from + length - 1 - i;
            bytes.set(JAVA_BYTE, from + i, bytes.get(JAVA_BYTE, other));
            bytes.set(JAVA_BYTE, other, swapped);
        }
    }
}
