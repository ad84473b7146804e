package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Scaled and rounded numbers, the {@code fixedscaleoffset} codec of numcodecs. An element is the
 * stored number divided by the scale, plus the offset. Integers are divided as float64; floats stay
 * in their type, as in NumPy.
 *
 * @param name in metadata
 * @param stored the type of the stored numbers
 * @param wanted the type of the elements
 * @param scale the scale
 * @param offset the offset
 * @param elements number of elements
 */
record FixedScaleOffset(
        String name,
        NumericType stored,
        NumericType wanted,
        double scale,
        double offset,
        long elements)
        implements ArrayFilter {
    @Override
    public long encodedBytes() {
        return elements * stored.byteSize();
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays)
            throws CodecException {
        NumericType working = working();
        double typedScale = rounded(working, scale);
        double typedOffset = rounded(working, offset);
        for (long i = 0; i < elements; i++) {
            long bits = Numbers.bits(stored, encoded, i);
            double value = working.toDouble(Cast.cast(name, stored, working, bits));
            double unscaled = rounded(working, value / typedScale);
            double sum = rounded(working, unscaled + typedOffset);
            Numbers.setBits(wanted, decoded, i, Cast.ofDouble(name, wanted, sum));
        }
    }

    private NumericType working() {
        return Numbers.isInteger(stored) ? NumericType.FLOAT64 : stored;
    }

    @Override
    public Optional<NumberSteps> steps() {
        NumericType working = working();
        if (working != NumericType.FLOAT64 && working != NumericType.FLOAT32) {
            return Optional.empty();
        }
        return NumberSteps.of(
                stored,
                new NumberSteps.Step.ToType(working),
                new NumberSteps.Step.Scale(
                        working.toDouble(working.nearest(scale)),
                        working.toDouble(working.nearest(offset))),
                new NumberSteps.Step.ToType(wanted));
    }

    private double rounded(NumericType type, double value) throws CodecException {
        return type == NumericType.FLOAT64
                ? value
                : type.toDouble(Numbers.nearest(name, type, value));
    }
}
