package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Numbers that casts and scales make float32 of, without anything else in between: as {@link
 * Float64Steps}, in half the memory.
 *
 * @param stored the type that is stored
 * @param scales what is done with each float32
 */
record Float32Steps(NumericType stored, List<NumberSteps.Step.Scale> scales) implements StepLoop {
    /**
     * What is loaded is cast already; of float32 that cast would do nothing, where it makes a
     * signalling NaN quiet.
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

    /** The steps that it {@link #takes}. */
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
