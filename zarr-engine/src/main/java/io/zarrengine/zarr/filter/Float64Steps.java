package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Numbers that casts and scales make floats of, step by step for a block of them: loops over arrays
 * that the compiler makes vectors of. Every number that can be stored, and each result, is a
 * float64; those of float32 are rounded to it after each operation.
 */
final class Float64Steps {
    private final NumberSteps numbers;
    private final double[] values = new double[NumberBlocks.LENGTH];

    private Float64Steps(NumberSteps numbers) {
        this.numbers = numbers;
    }

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
        Float64Steps steps = new Float64Steps(numbers.get());
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            steps.decodeBlock(encoded, decoded, from, NumberBlocks.count(from, elements));
        }
        return true;
    }

    /** What is cast becomes a float, and what is only scaled is one already. */
    private static boolean takes(NumberSteps numbers) {
        return NumberBlocks.areDoubles(numbers.stored())
                && !numbers.steps().isEmpty()
                && numbers.steps().stream()
                        .allMatch(step ->
                                switch (step) {
                                    case NumberSteps.Step.ToType cast ->
                                            Numbers.isLargeFloat(cast.to());
                                    case NumberSteps.Step.Scale _ -> true;
                                });
    }

    private void decodeBlock(MemorySegment encoded, MemorySegment decoded, long from, int count) {
        NumberBlocks.load(numbers.stored(), encoded, from, values, count);
        NumericType type = numbers.stored();
        for (NumberSteps.Step step : numbers.steps()) {
            switch (step) {
                case NumberSteps.Step.ToType cast -> type = cast.to();
                case NumberSteps.Step.Scale scale -> scale(scale, type, count);
            }
            if (type == NumericType.FLOAT32) {
                round(count);
            }
        }
        NumberBlocks.store(type, values, count, decoded, from);
    }

    private void scale(NumberSteps.Step.Scale scale, NumericType type, int count) {
        for (int i = 0; i < count; i++) {
            values[i] /= scale.divisor();
        }
        if (type == NumericType.FLOAT32) {
            round(count);
        }
        for (int i = 0; i < count; i++) {
            values[i] += scale.addend();
        }
    }

    private void round(int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (float) values[i];
        }
    }
}
