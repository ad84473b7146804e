package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Casts and scales whose results are all float32. Does the same as {@link Float64Steps} in half the
 * memory.
 *
 * @param stored the type of the stored numbers
 * @param scales applied to each float32
 */
record Float32Steps(NumericType stored, List<NumberSteps.Step.Scale> scales) implements StepLoop {
    /**
     * Returns whether this class takes the steps. Loading does the cast. It excludes a cast from
     * float32 to float32, which makes a signalling NaN quiet, because loading does not.
     */
    static boolean takes(NumberSteps numbers) {
        boolean isCast =
                !numbers.steps().isEmpty()
                        && numbers.steps().getFirst() instanceof NumberSteps.Step.ToType;
        boolean isScaled = !numbers.scales().isEmpty();
        return (numbers.stored() == NumericType.FLOAT32 ? isScaled : isCast)
                && NumberBlocks.areDoubles(numbers.stored())
                && numbers.casts().stream().allMatch(type -> type == NumericType.FLOAT32);
    }

    /** Returns steps that this {@link #takes}. */
    static Float32Steps of(NumberSteps numbers) {
        return new Float32Steps(numbers.stored(), numbers.scales());
    }

    @Override
    public void decode(
            MemorySegment encoded, MemorySegment decoded, long elements, BlockArrays arrays) {
        float[] values = arrays.floats();
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(stored, encoded, from, values, count);
            for (NumberSteps.Step.Scale scale : scales) {
                scale(values, count, (float) scale.divisor(), (float) scale.addend());
            }
            NumberBlocks.store(values, count, decoded, from);
        }
    }

    private static void scale(float[] values, int count, float divisor, float addend) {
        for (int i = 0; i < count; i++) {
            values[i] = values[i] / divisor + addend;
        }
    }
}
