package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.filter.NumberBlocks;

/**
 * Computes log(1 + x) with a relative error below 2<sup>-40</sup>, in loops that the compiler
 * vectorizes also without 64-bit shifts. For one thread at a time.
 */
final class FastLog1p {
    private static final double LN2 = Math.log(2);

    /** The bits of the square root of a half. */
    private static final int ROOT = Float.floatToRawIntBits((float) Math.sqrt(0.5));

    private static final int MANTISSA_BITS = 23;
    private static final int BIAS = 127;

    /** Below the exponents that float32 lacks the inverse of. */
    private static final double GREATEST = 0x1p125;

    private final float[] sums = new float[NumberBlocks.LENGTH];
    private final float[] exponents = new float[NumberBlocks.LENGTH];
    private final float[] inverses = new float[NumberBlocks.LENGTH];
    private final double[] factors = new double[NumberBlocks.LENGTH];
    private final double[] addends = new double[NumberBlocks.LENGTH];

    void apply(double[] values, int count) {
        if (isOrdinary(values, count)) {
            add1(values, sums, count);
            split(sums, exponents, inverses, count);
            widen(inverses, factors, count);
            widen(exponents, addends, count);
            compute(values, factors, addends, count);
        } else { // also NaN
            for (int i = 0; i < count; i++) {
                values[i] = StrictMath.log1p(values[i]);
            }
        }
    }

    private static boolean isOrdinary(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            if (!(values[i] > -1 && values[i] < GREATEST)) {
                return false;
            }
        }
        return true;
    }

    private static void add1(double[] values, float[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] = (float) (1 + values[i]);
        }
    }

    /** Computes {@code k} and {@code 2^-k} so that {@code sum * 2^-k} is near 1. */
    private static void split(float[] sums, float[] exponents, float[] inverses, int count) {
        for (int i = 0; i < count; i++) {
            int k = (Float.floatToRawIntBits(sums[i]) - ROOT) >> MANTISSA_BITS;
            exponents[i] = k;
            inverses[i] = Float.intBitsToFloat((BIAS - k) << MANTISSA_BITS);
        }
    }

    private static void widen(float[] narrow, double[] wide, int count) {
        for (int i = 0; i < count; i++) {
            wide[i] = narrow[i];
        }
    }

    /**
     * With {@code 1 + x = m * 2^k}, {@code m} from the root of a half to the root of 2, and {@code
     * s = (m - 1) / (m + 1)}, the logarithm is {@code k ln 2 + 2 (s + s^3 / 3 + s^5 / 5 ...)}. As
     * {@code |s| <= 0.1716}, the first term left out, {@code s^21 / 21}, is below {@code 2^-55}.
     * {@code lost} is what the sum {@code 1 + x} has lost by rounding, relative to {@code 2^k},
     * which is near the sum where the loss matters.
     */
    private static void compute(double[] values, double[] factors, double[] addends, int count) {
        for (int i = 0; i < count; i++) {
            double x = values[i];
            double sum = 1 + x;
            double lost = (x - (sum - 1)) * factors[i];
            double m = sum * factors[i];
            double s = (m - 1) / (m + 1);
            double q = s * s;
            double series = 1.0 / 17 + q * (1.0 / 19);
            series = 1.0 / 15 + q * series;
            series = 1.0 / 13 + q * series;
            series = 1.0 / 11 + q * series;
            series = 1.0 / 9 + q * series;
            series = 1.0 / 7 + q * series;
            series = 1.0 / 5 + q * series;
            series = 1.0 / 3 + q * series;
            values[i] = addends[i] * LN2 + (2 * s * (1 + q * series) + lost);
        }
    }
}
