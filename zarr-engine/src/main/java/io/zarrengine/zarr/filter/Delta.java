package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Differences of successive elements, numcodecs' {@code delta}: each element is the sum of all that
 * are stored up to its place, in the arithmetic of its type.
 *
 * @param name in metadata
 * @param stored the type of the differences
 * @param wanted the type of the elements
 * @param elements how many
 */
record Delta(String name, NumericType stored, NumericType wanted, long elements)
        implements ArrayFilter {
    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        if (Numbers.isInteger(wanted)) {
            sumIntegers(encoded, decoded);
        } else {
            sumFloats(encoded, decoded);
        }
    }

    private void sumIntegers(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        long sum = 0;
        for (long i = 0; i < elements; i++) {
            sum += Cast.cast(name, stored, wanted, Numbers.bits(stored, encoded, i));
            Numbers.setBits(wanted, decoded, i, sum);
        }
    }

    /** Each sum is rounded to the type: the next one goes on from there. */
    private void sumFloats(MemorySegment encoded, MemorySegment decoded) throws CodecException {
        double sum = 0;
        for (long i = 0; i < elements; i++) {
            long difference = Cast.cast(name, stored, wanted, Numbers.bits(stored, encoded, i));
            double value = wanted.toDouble(difference);
            long bits = i == 0 ? difference : Numbers.nearest(name, wanted, sum + value);
            Numbers.setBits(wanted, decoded, i, bits);
            sum = wanted.toDouble(bits);
        }
    }
}
