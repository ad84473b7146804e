package io.zarrengine.cuda;

import java.util.List;

/**
 * The conversion of numbers on their way to the target, number by number and step by step. The
 * results equal those of Java, bit for bit.
 *
 * @param stored type of the stored numbers
 * @param swapBytes 0, or the size of a stored number, if its bytes are in the other order
 * @param steps at most {@link #STEPS_MAX}, of which at most {@link #SCALINGS_MAX} scale
 */
public record Conversion(NumberType stored, int swapBytes, List<Step> steps)
        implements RepeatedPiece.Form {
    /** The maximum number of steps. */
    public static final int STEPS_MAX = 7;

    /** The maximum number of steps that scale. */
    public static final int SCALINGS_MAX = 2;

    private static final int SCALING = 11; // "scaling" in kernels.cu

    /** A type of numbers. */
    public enum NumberType {
        /** Signed, 1 byte. */
        INT8(0, 1),
        /** Signed, 2 bytes. */
        INT16(1, 2),
        /** Signed, 4 bytes. */
        INT32(2, 4),
        /** Signed, 8 bytes. */
        INT64(3, 8),
        /** Unsigned, 1 byte. */
        UINT8(4, 1),
        /** Unsigned, 2 bytes. */
        UINT16(5, 2),
        /** Unsigned, 4 bytes. */
        UINT32(6, 4),
        /** Unsigned, 8 bytes. */
        UINT64(7, 8),
        /** IEEE 754 binary32. */
        FLOAT32(8, 4),
        /** IEEE 754 binary64. */
        FLOAT64(9, 8);

        private final int code;
        private final int bytes;

        NumberType(int code, int bytes) {
            this.code = code;
            this.bytes = bytes;
        }

        /** {@return the size of a number in bytes} */
        public int bytes() {
            return bytes;
        }

        /** Returns its code in {@code kernels.cu}. */
        int code() {
            return code;
        }

        boolean isFloat() {
            return this == FLOAT32 || this == FLOAT64;
        }
    }

    /** One step of a conversion. */
    public sealed interface Step {
        /**
         * Casts a number to another type. Integers keep their low bits, fractions are cut off,
         * floats are rounded to nearest. Floats outside an integer type first become the nearest
         * 64-bit number; NaN becomes 0.
         *
         * @param to the new type
         */
        record Cast(NumberType to) implements Step {}

        /**
         * Divides a float and then adds to it, each time rounding to its type.
         *
         * @param divisor a finite number of its type, not 0
         * @param addend a finite number of its type
         */
        record Scale(double divisor, double addend) implements Step {
            /**
             * Checks the numbers. Other numbers could turn a number into NaN, whose bits depend on
             * the machine.
             *
             * @param divisor a finite number of its type, not 0
             * @param addend a finite number of its type
             */
            public Scale {
                if (!Double.isFinite(divisor) || divisor == 0 || !Double.isFinite(addend)) {
                    throw new IllegalArgumentException("/ " + divisor + " + " + addend);
                }
            }

            /**
             * Returns whether the step gives the same result in this type. The device computes in
             * the type, Java in float64.
             */
            private boolean isOf(NumberType type) {
                return type == NumberType.FLOAT64
                        || (type == NumberType.FLOAT32
                                && divisor == (float) divisor
                                && addend == (float) addend);
            }
        }
    }

    /**
     * Checks the steps.
     *
     * @param stored type of the stored numbers
     * @param swapBytes 0, or the size of a stored number, if its bytes are in the other order
     * @param steps the steps of the conversion
     */
    public Conversion {
        steps = List.copyOf(steps);
        NumberType type = stored;
        boolean isScalable = true;
        for (Step step : steps) {
            switch (step) {
                case Step.Cast cast -> type = cast.to();
                case Step.Scale scale -> isScalable &= scale.isOf(type);
            }
        }
        boolean swaps = swapBytes == stored.bytes() && swapBytes > 1;
        if (!isScalable
                || steps.size() > STEPS_MAX
                || scalings(steps).size() > SCALINGS_MAX
                || (swapBytes != 0 && !swaps)) {
            throw new IllegalArgumentException(stored + ", swapped by " + swapBytes + ": " + steps);
        }
    }

    /** {@return the type of the converted numbers} */
    public NumberType target() {
        NumberType type = stored;
        for (Step step : steps) {
            type = step instanceof Step.Cast cast ? cast.to() : type;
        }
        return type;
    }

    List<Step.Scale> scalings() {
        return scalings(steps);
    }

    private static List<Step.Scale> scalings(List<Step> steps) {
        return steps.stream()
                .filter(Step.Scale.class::isInstance)
                .map(Step.Scale.class::cast)
                .toList();
    }

    /** Returns the stored type, then a byte for each step: 1 to 10 cast to a type, 0 is the end. */
    long codes() {
        long codes = stored.code;
        for (int i = 0; i < steps.size(); i++) {
            long code = steps.get(i) instanceof Step.Cast cast ? cast.to().code + 1 : SCALING;
            codes |= code << (Byte.SIZE * (i + 1));
        }
        return codes;
    }
}
