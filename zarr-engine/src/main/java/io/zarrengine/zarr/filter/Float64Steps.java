package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;

/**
 * Casts and scales whose results are all floats, block by block, in loops over arrays that the
 * compiler vectorizes. Every stored number and each result is a float64; a float32 result is
 * rounded after each operation.
 *
 * @param numbers the steps
 */
record Float64Steps(NumberSteps numbers) implements StepLoop {
    /**
     * Returns whether this class takes the steps. A cast yields a float, and a number that is only
     * scaled is one already.
     */
    static boolean takes(NumberSteps numbers) {
        return NumberBlocks.areDoubles(numbers.stored())
                && !numbers.steps().isEmpty()
                && numbers.casts().stream().allMatch(Numbers::isLargeFloat);
    }

    @Override
    public void decode(
            MemorySegment encoded, MemorySegment decoded, long elements, BlockArrays arrays) {
        double[] values = arrays.doubles();
        NumericType wanted = numbers.wanted();
        for (long from = 0; from < elements; from += NumberBlocks.LENGTH) {
            int count = NumberBlocks.count(from, elements);
            NumberBlocks.load(numbers.stored(), encoded, from, values, count);
            takeSteps(values, count);
            NumberBlocks.store(wanted, values, count, decoded, from);
        }
    }

    private void takeSteps(double[] values, int count) {
        NumericType type = numbers.stored();
        for (NumberSteps.Step step : numbers.steps()) {
            switch (step) {
                case NumberSteps.Step.ToType cast -> type = cast.to();
                case NumberSteps.Step.Scale scale -> scale(scale, type, values, count);
            }
            if (type == NumericType.FLOAT32) {
                round(values, count);
            }
        }
    }

    private static void scale(
            NumberSteps.Step.Scale scale, NumericType type, double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] /= scale.divisor();
        }
        if (type == NumericType.FLOAT32) {
            round(values, count);
        }
        for (int i = 0; i < count; i++) {
            values[i] += scale.addend();
        }
    }

    private static void round(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = (float) values[i];
        }
    }
}
