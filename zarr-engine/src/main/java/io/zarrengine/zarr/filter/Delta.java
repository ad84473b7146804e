package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/**
 * Differences of successive elements, the {@code delta} codec of numcodecs. Each element is the sum
 * of the stored numbers up to its place, in the arithmetic of its type.
 *
 * @param name in metadata
 * @param stored the type of the differences
 * @param wanted the type of the elements
 * @param elements number of elements
 */
record Delta(String name, NumericType stored, NumericType wanted, long elements)
        implements ArrayFilter {
    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        if (IntegerSteps.casts(stored, wanted)) {
            sumLongs(encoded, decoded, arrays.longs());
        } else if (Numbers.isLargeFloat(wanted) && NumberBlocks.areDoubles(stored)) {
            sumDoubles(encoded, decoded, arrays.doubles());
        } else {
            decodeOneByOne(encoded, decoded);
        }
    }

    private void sumLongs(MemorySegment encoded, MemorySegment decoded, long[] values) {
        long sum = 0;
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(stored, encoded, from, values, count);
            for (int i = 0; i < count; i++) {
                sum += values[i];
                values[i] = sum;
            }
            NumberBlocks.store(wanted, values, count, decoded, from);
        }
    }

    private void sumDoubles(MemorySegment encoded, MemorySegment decoded, double[] values) {
        double sum = 0;
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(stored, encoded, from, values, count);
            int begin = from == 0 ? 1 : 0; // The first is not a sum: 0 + -0 is 0.
            double before = from == 0 ? values[0] : sum;
            sum =
                    wanted == NumericType.FLOAT32
                            ? addSingles((float) before, values, begin, count)
                            : addDoubles(before, values, begin, count);
            NumberBlocks.store(wanted, values, count, decoded, from);
        }
    }

    private static double addDoubles(double before, double[] values, int begin, int count) {
        double sum = before;
        for (int i = begin; i < count; i++) {
            sum += values[i];
            values[i] = sum;
        }
        return sum;
    }

    /**
     * Adds as float32, which equals adding as float64 and rounding to float32: float32 has less
     * than half as many digits.
     */
    private static float addSingles(float before, double[] values, int begin, int count) {
        float sum = before;
        for (int i = begin; i < count; i++) {
            sum += (float) values[i];
            values[i] = sum;
        }
        return sum;
    }

    /** Decodes any types, slowly and simply. */
    void decodeOneByOne(MemorySegment encoded, MemorySegment decoded) throws CodecException {
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

    /** Rounds each sum to the type before the next addition. */
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
