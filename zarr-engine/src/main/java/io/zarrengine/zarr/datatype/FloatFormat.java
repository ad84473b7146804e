package io.zarrengine.zarr.datatype;

/**
 * Binary floating-point formats of at most 16 bits, with conversions between a number and its bits.
 *
 * @see <a
 *     href="https://github.com/jax-ml/ml_dtypes#specifications-of-implemented-floating-point-formats">
 *     ml_dtypes, "Specifications"</a>
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types">
 *     zarr-extensions, data types</a>
 */
enum FloatFormat {
    FLOAT16(5, 10, 15, Specials.IEEE),
    BFLOAT16(8, 7, 127, Specials.IEEE),
    FLOAT8_E5M2(5, 2, 15, Specials.IEEE),
    FLOAT8_E4M3(4, 3, 7, Specials.IEEE),
    FLOAT8_E3M4(3, 4, 3, Specials.IEEE),
    FLOAT8_E4M3FN(4, 3, 7, Specials.NAN_IS_ALL_ONES),
    FLOAT8_E4M3B11FNUZ(4, 3, 11, Specials.NAN_IS_NEGATIVE_ZERO),
    FLOAT8_E4M3FNUZ(4, 3, 8, Specials.NAN_IS_NEGATIVE_ZERO),
    FLOAT8_E5M2FNUZ(5, 2, 16, Specials.NAN_IS_NEGATIVE_ZERO),
    FLOAT8_E8M0FNU(8, 0, 127, Specials.POWERS_OF_TWO),
    FLOAT6_E2M3FN(2, 3, 1, Specials.NONE),
    FLOAT6_E3M2FN(3, 2, 3, Specials.NONE),
    FLOAT4_E2M1FN(2, 1, 1, Specials.NONE);

    /** The bit patterns that are not finite numbers. */
    enum Specials {
        /** The largest exponent is infinity, or NaN with a mantissa. */
        IEEE,

        /** All ones but the sign is NaN. There is no infinity. */
        NAN_IS_ALL_ONES,

        /** The pattern of -0 is NaN. There is no infinity and no negative zero. */
        NAN_IS_NEGATIVE_ZERO,

        /** No sign, no mantissa, no zero. All ones is NaN. */
        POWERS_OF_TWO,

        /** Every pattern is a finite number. */
        NONE
    }

    private final int exponentBits;
    private final int mantissaBits;
    private final int bias;
    private final Specials specials;

    FloatFormat(int exponentBits, int mantissaBits, int bias, Specials specials) {
        this.exponentBits = exponentBits;
        this.mantissaBits = mantissaBits;
        this.bias = bias;
        this.specials = specials;
    }

    /** {@return the number of bits of a number, with its sign} */
    int bits() {
        return exponentBits + mantissaBits + (specials == Specials.POWERS_OF_TWO ? 0 : 1);
    }

    /**
     * {@return the number of a bit pattern}
     *
     * @param pattern the pattern, in the low {@link #bits()} bits
     */
    double toDouble(int pattern) {
        int exponentMax = (1 << exponentBits) - 1;
        int exponent = (pattern >> mantissaBits) & exponentMax;
        int mantissa = pattern & ((1 << mantissaBits) - 1);
        int magnitudeMax = (1 << (exponentBits + mantissaBits)) - 1;
        int magnitude = pattern & magnitudeMax;
        double sign = ((pattern >> (exponentBits + mantissaBits)) & 1) == 0 ? 1 : -1;
        switch (specials) {
            case IEEE -> {
                if (exponent == exponentMax) {
                    return mantissa == 0 ? sign * Double.POSITIVE_INFINITY : Double.NaN;
                }
            }
            case NAN_IS_ALL_ONES -> {
                if (magnitude == magnitudeMax) {
                    return Double.NaN;
                }
            }
            case NAN_IS_NEGATIVE_ZERO -> {
                if (magnitude == 0 && sign < 0) {
                    return Double.NaN;
                }
            }
            case POWERS_OF_TWO -> {
                return exponent == exponentMax ? Double.NaN : Math.scalb(1.0, exponent - bias);
            }
            case NONE -> {}
        }
        boolean subnormal = exponent == 0;
        double fraction = Math.scalb((double) mantissa, -mantissaBits) + (subnormal ? 0 : 1);
        return sign * Math.scalb(fraction, (subnormal ? 1 : exponent) - bias);
    }

    /**
     * {@return the bit pattern of the nearest number, ties to an even pattern}
     *
     * @throws IllegalArgumentException if the format has no such value (NaN, infinity, or a number
     *     beyond its range without an infinity)
     */
    int nearest(double value) {
        if (Double.isNaN(value)) {
            return quietNaN();
        }
        if (Double.isInfinite(value) || overflows(value)) {
            if (specials != Specials.IEEE) {
                throw new IllegalArgumentException(value + " is no " + name());
            }
            return withSign(largestFinite() + 1, value);
        }
        int magnitude = nearestMagnitude(Math.abs(value));
        boolean positive = magnitude == 0 && specials == Specials.NAN_IS_NEGATIVE_ZERO;
        return positive ? 0 : withSign(magnitude, value);
    }

    private int withSign(int magnitude, double value) {
        return isNegative(value) && specials != Specials.POWERS_OF_TWO
                ? magnitude | 1 << (exponentBits + mantissaBits)
                : magnitude;
    }

    /**
     * {@return the pattern of the nearest magnitude} Larger patterns are larger numbers, up to the
     * largest.
     */
    private int nearestMagnitude(double value) {
        int low = 0; // pattern of a number <= value, if there is one
        int high = largestFinite();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (toDouble(middle) <= value) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double below = value - toDouble(low);
        double above = toDouble(high) - value;
        if (below == above) {
            return low % 2 == 0 ? low : high;
        }
        return below < above ? low : high;
    }

    /** {@return the largest finite number} */
    double largest() {
        return toDouble(largestFinite());
    }

    private static boolean isNegative(double value) {
        return Math.copySign(1, value) < 0;
    }

    /**
     * {@return the bits of a positive NaN} If there is a choice, only the highest bit of the
     * mantissa is set.
     */
    private int quietNaN() {
        int magnitudeMax = (1 << (exponentBits + mantissaBits)) - 1;
        return switch (specials) {
            case IEEE -> magnitudeMax - (1 << (mantissaBits - 1)) + 1;
            case NAN_IS_ALL_ONES, POWERS_OF_TWO -> magnitudeMax;
            case NAN_IS_NEGATIVE_ZERO -> magnitudeMax + 1;
            case NONE -> throw new IllegalArgumentException("NaN is no " + name());
        };
    }

    /**
     * {@return whether a value exceeds the largest number by more than half a step, or by exactly
     * half a step if ties round up}
     */
    private boolean overflows(double value) {
        if (value < 0 && specials == Specials.POWERS_OF_TWO) {
            return true;
        }
        int largest = largestFinite();
        double max = toDouble(largest);
        double halfStep = (max - toDouble(largest - 1)) / 2;
        double beyond = Math.abs(value) - max;
        return beyond > halfStep || (beyond == halfStep && largest % 2 == 1);
    }

    private int largestFinite() {
        int magnitudeMax = (1 << (exponentBits + mantissaBits)) - 1;
        return switch (specials) {
            case IEEE -> magnitudeMax - (1 << mantissaBits);
            case NAN_IS_ALL_ONES, POWERS_OF_TWO -> magnitudeMax - 1;
            case NAN_IS_NEGATIVE_ZERO, NONE -> magnitudeMax;
        };
    }
}
