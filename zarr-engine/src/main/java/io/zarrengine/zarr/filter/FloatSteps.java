package io.zarrengine.zarr.filter;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.zarrengine.zarr.datatype.NumericType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Numbers that casts and scales make floats of, step by step for a block of them: loops over arrays
 * that the compiler makes vectors of. Every number that can be stored, and each result, is a
 * float64; those of float32 are rounded to it after each operation.
 */
final class FloatSteps {
    private static final int BLOCK = 1024;

    private final NumberSteps numbers;
    private final double[] values = new double[BLOCK];

    private FloatSteps(NumberSteps numbers) {
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
        FloatSteps steps = new FloatSteps(numbers.get());
        for (long from = 0; from < elements; from += BLOCK) {
            steps.decodeBlock(encoded, decoded, from, (int) Math.min(BLOCK, elements - from));
        }
        return true;
    }

    /** What is cast becomes a float, and what is only scaled is one already. */
    private static boolean takes(NumberSteps numbers) {
        boolean isExact =
                switch (numbers.stored()) {
                    case INT8, INT16, INT32, UINT8, UINT16, UINT32, FLOAT32, FLOAT64 -> true;
                    default -> false;
                };
        return isExact
                && !numbers.steps().isEmpty()
                && numbers.steps().stream()
                        .allMatch(step ->
                                switch (step) {
                                    case NumberSteps.Step.ToType cast -> isFloat(cast.to());
                                    case NumberSteps.Step.Scale _ -> true;
                                });
    }

    private static boolean isFloat(NumericType type) {
        return type == NumericType.FLOAT32 || type == NumericType.FLOAT64;
    }

    private void decodeBlock(MemorySegment encoded, MemorySegment decoded, long from, int count) {
        load(encoded, from, count);
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
        store(decoded, type, from, count);
    }

    private void load(MemorySegment encoded, long from, int count) {
        switch (numbers.stored()) {
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.get(JAVA_BYTE, from + i);
                }
            }
            case UINT8 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.get(JAVA_BYTE, from + i) & 0xff;
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_SHORT_UNALIGNED, from + i);
                }
            }
            case UINT16 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_SHORT_UNALIGNED, from + i) & 0xffff;
                }
            }
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_INT_UNALIGNED, from + i);
                }
            }
            case UINT32 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_INT_UNALIGNED, from + i) & 0xffffffffL;
                }
            }
            case FLOAT32 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_FLOAT_UNALIGNED, from + i);
                }
            }
            case FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = encoded.getAtIndex(JAVA_DOUBLE_UNALIGNED, from + i);
                }
            }
            default -> throw new AssertionError(numbers.stored());
        }
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

    private void store(MemorySegment decoded, NumericType type, long from, int count) {
        if (type == NumericType.FLOAT32) {
            for (int i = 0; i < count; i++) {
                decoded.setAtIndex(JAVA_FLOAT_UNALIGNED, from + i, (float) values[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                decoded.setAtIndex(JAVA_DOUBLE_UNALIGNED, from + i, values[i]);
            }
        }
    }
}
