package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.NumericType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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

    /** Both, one after the other; empty if bytes of another type are taken as they are. */
    Optional<NumberSteps> then(NumberSteps next) {
        if (next.stored != wanted()) {
            return Optional.empty();
        }
        List<Step> both = Stream.concat(steps.stream(), next.steps.stream()).toList();
        return Optional.of(new NumberSteps(stored, swapBytes, both));
    }

    /** The types that numbers become, in the order of decoding. */
    List<NumericType> casts() {
        return steps.stream()
                .filter(Step.ToType.class::isInstance)
                .map(step -> ((Step.ToType) step).to())
                .toList();
    }

    /** The scales among the steps, in their order. */
    List<Step.Scale> scales() {
        return steps.stream()
                .filter(Step.Scale.class::isInstance)
                .map(Step.Scale.class::cast)
                .toList();
    }

    /** The type that the last step makes. */
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
