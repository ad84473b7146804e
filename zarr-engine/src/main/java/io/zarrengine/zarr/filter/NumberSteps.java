package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What filters do to each number by itself, where that is nothing but casts and scaling: a GPU does
 * the same, bit for bit, while it puts the numbers in their places, and {@link NumberBlocks} block
 * by block.
 *
 * @param stored the type that is stored
 * @param swapBytes 0, or the size of a stored number, if its bytes are in the other order
 * @param steps in the order of decoding
 */
public record NumberSteps(NumericType stored, int swapBytes, List<Step> steps) {
    /** One step. */
    public sealed interface Step {
        /**
         * {@link io.zarrengine.zarr.filter.Cast} of a number.
         *
         * @param to the type that it becomes
         */
        record ToType(NumericType to) implements Step {}

        /**
         * A float is divided, and then added to; each time it is rounded to its type.
         *
         * @param divisor of its type
         * @param addend of its type
         */
        record Scale(double divisor, double addend) implements Step {
            /** Whether it makes NaN of NaN alone: which NaN depends on the machine otherwise. */
            private boolean makesNoNan() {
                return Double.isFinite(divisor) && divisor != 0 && Double.isFinite(addend);
            }
        }
    }

    /** What a GPU takes. */
    private static final Set<NumericType> TYPES =
            Set.of(
                    NumericType.INT8,
                    NumericType.INT16,
                    NumericType.INT32,
                    NumericType.INT64,
                    NumericType.UINT8,
                    NumericType.UINT16,
                    NumericType.UINT32,
                    NumericType.UINT64,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64);

    private static final int STEPS_MAX = 7;
    private static final int SCALINGS_MAX = 2;

    /** A filter's steps. */
    static Optional<NumberSteps> of(NumericType stored, Step... steps) {
        return Optional.of(new NumberSteps(stored, 0, List.of(steps)));
    }

    /**
     * {@return what filters do, or empty if it is more than that, or more than a GPU takes}
     *
     * @param filters in the order of encoding; at least one
     */
    public static Optional<NumberSteps> of(List<ArrayFilter> filters) {
        int swapBytes = 0;
        NumericType stored = null;
        NumericType type = null; // of what the next filter gets
        List<Step> steps = new ArrayList<>();
        for (ArrayFilter filter : filters.reversed()) {
            Optional<NumberSteps> one = filter.steps();
            if (stored == null && filter instanceof ReverseBytes reverse && reverse.isOfNumbers()) {
                swapBytes = reverse.elementBytes();
            } else if (one.isEmpty() || (type != null && type != one.get().stored)) {
                return Optional.empty(); // Bytes of another type are taken as they are.
            } else {
                stored = stored == null ? one.get().stored : stored;
                steps.addAll(one.get().steps);
                type = one.get().wanted();
            }
        }
        return Optional.of(new NumberSteps(stored, swapBytes, List.copyOf(steps)))
                .filter(NumberSteps::isDevices);
    }

    private NumericType wanted() {
        NumericType type = stored;
        for (Step step : steps) {
            type = step instanceof Step.ToType cast ? cast.to() : type;
        }
        return type;
    }

    private boolean isDevices() {
        long scalings = steps.stream().filter(Step.Scale.class::isInstance).count();
        return stored != null
                && TYPES.contains(stored)
                && steps.size() <= STEPS_MAX
                && scalings <= SCALINGS_MAX
                && steps.stream()
                        .allMatch(step ->
                                switch (step) {
                                    case Step.ToType cast -> TYPES.contains(cast.to());
                                    case Step.Scale scale -> scale.makesNoNan();
                                });
    }
}
