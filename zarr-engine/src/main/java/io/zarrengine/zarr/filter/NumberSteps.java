package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Filters that only cast and scale each number by itself. A GPU does the same, bit for bit, while
 * it places the numbers, and {@link NumberBlocks} block by block.
 *
 * @param stored the type of the stored numbers
 * @param swapBytes size of a stored number if its bytes are in the other order, otherwise 0
 * @param steps in the order of decoding
 */
public record NumberSteps(NumericType stored, int swapBytes, List<Step> steps) {
    /** One step. */
    public sealed interface Step {
        /**
         * A {@link io.zarrengine.zarr.filter.Cast} of a number.
         *
         * @param to the type of the result
         */
        record ToType(NumericType to) implements Step {}

        /**
         * Divides a float, then adds to it, and rounds to its type after each operation.
         *
         * @param divisor of its type
         * @param addend of its type
         */
        record Scale(double divisor, double addend) implements Step {
            /**
             * Returns whether only NaN yields NaN. Otherwise the bits of the NaN depend on the
             * machine.
             */
            private boolean makesNoNan() {
                return Double.isFinite(divisor) && divisor != 0 && Double.isFinite(addend);
            }
        }
    }

    /** Types that a GPU supports. */
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

    /** Returns a filter's steps. */
    static Optional<NumberSteps> of(NumericType stored, Step... steps) {
        return Optional.of(new NumberSteps(stored, 0, List.of(steps)));
    }

    /**
     * {@return the steps of filters; empty if they do more, or more than a GPU supports}
     *
     * @param filters in the order of encoding; at least one
     */
    public static Optional<NumberSteps> of(List<ArrayFilter> filters) {
        boolean isSwapped =
                filters.getLast() instanceof ReverseBytes reverse && reverse.isOfNumbers();
        List<ArrayFilter> decoders =
                isSwapped ? filters.reversed().subList(1, filters.size()) : filters.reversed();
        if (decoders.isEmpty()) {
            return Optional.empty();
        }
        Optional<NumberSteps> all = decoders.getFirst().steps();
        for (ArrayFilter filter : decoders.subList(1, decoders.size())) {
            all = all.flatMap(before -> filter.steps().flatMap(before::then));
        }
        return all.map(numbers -> isSwapped ? numbers.swapped() : numbers)
                .filter(NumberSteps::isDevices);
    }

    private NumberSteps swapped() {
        return new NumberSteps(stored, stored.byteSize(), steps);
    }

    /**
     * Returns these steps followed by others; empty if the others interpret the bytes as another
     * type.
     */
    Optional<NumberSteps> then(NumberSteps next) {
        if (next.stored != wanted()) {
            return Optional.empty();
        }
        List<Step> both = Stream.concat(steps.stream(), next.steps.stream()).toList();
        return Optional.of(new NumberSteps(stored, swapBytes, both));
    }

    /** Returns the types of the casts, in the order of decoding. */
    List<NumericType> casts() {
        return steps.stream()
                .filter(Step.ToType.class::isInstance)
                .map(step -> ((Step.ToType) step).to())
                .toList();
    }

    /** Returns the scales, in the order of decoding. */
    List<Step.Scale> scales() {
        return steps.stream()
                .filter(Step.Scale.class::isInstance)
                .map(Step.Scale.class::cast)
                .toList();
    }

    /** Returns the type of the last step's result. */
    NumericType wanted() {
        List<NumericType> casts = casts();
        return casts.isEmpty() ? stored : casts.getLast();
    }

    private boolean isDevices() {
        return TYPES.contains(stored)
                && steps.size() <= STEPS_MAX
                && scales().size() <= SCALINGS_MAX
                && TYPES.containsAll(casts())
                && scales().stream().allMatch(Step.Scale::makesNoNan);
    }
}
