package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Numbers that casts and scales make float32 of, without anything else in between: as {@link
 * Float64Steps}, in half the memory.
 */
final class Float32Steps {
    private Float32Steps() {}

    /**
     * Does what a filter does to each number; false, and nothing is done, if this is not the way.
     *
     * @param numbers what the filter does, if it can be said so
     * @param elements how many
     */
    static boolean decode(
            Optional<NumberSteps> numbers,
            MemorySegment encoded,
            MemorySegment decoded,
            long elements) {
        if (numbers.isEmpty() || !takes(numbers.get())) {
            return false;
        }
        float[] values = new float[NumberBlocks.LENGTH];
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(numbers.get().stored(), encoded, from, values, count);
            for (NumberSteps.Step step : numbers.get().steps()) {
                if (step instanceof NumberSteps.Step.Scale scale) {
                    scale(values, count, (float) scale.divisor(), (float) scale.addend());
                }
            }
            NumberBlocks.store(values, count, decoded, from);
        }
        return true;
    }

    /**
     * What is loaded is cast already; of float32 that cast would do nothing, where it makes a
     * signalling NaN quiet.
     */
    private static boolean takes(NumberSteps numbers) {
        boolean isScaled =
                numbers.steps().stream().anyMatch(NumberSteps.Step.Scale.class::isInstance);
        boolean isCast =
                !numbers.steps().isEmpty()
                        && numbers.steps().getFirst() instanceof NumberSteps.Step.ToType;
        return (numbers.stored() == NumericType.FLOAT32 ? isScaled : isCast)
                && NumberBlocks.areDoubles(numbers.stored())
                && numbers.steps().stream()
                        .allMatch(step ->
                                switch (step) {
                                    case NumberSteps.Step.ToType cast ->
                                            cast.to() == NumericType.FLOAT32;
                                    case NumberSteps.Step.Scale _ -> true;
                                });
    }

    private static void scale(float[] values, int count, float divisor, float addend) {
        for (int i = 0; i < count; i++) {
            values[i] = values[i] / divisor + addend;
        }
    }
}
