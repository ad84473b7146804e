package io.zarrengine.zarr.transform;

/**
 * Computes log(1 + x) with a relative error below 2<sup>-40</sup>, in a loop without branches that
 * the compiler vectorizes.
 */
final class FastLog1p {
    private static final double LN2 = Math.log(2);

    /** The bits of the square root of a half. */
    private static final long ROOT = Double.doubleToRawLongBits(Math.sqrt(0.5));

    private static final int EXPONENT_SHIFT = 52;

    private FastLog1p() {}

    static void apply(double[] values, int count) {
        boolean isOrdinary = true;
        for (int i = 0; i < count; i++) {
            isOrdinary &= values[i] > -1 && values[i] <= Double.MAX_VALUE;
        }
        if (isOrdinary) {
            compute(values, count);
        } else {
            for (int i = 0; i < count; i++) {
                values[i] = StrictMath.log1p(values[i]);
            }
        }
    }

    /**
     * With {@code 1 + x = m * 2^k}, {@code m} from the root of a half to the root of 2, and {@code
     * s = (m - 1) / (m + 1)}, the logarithm is {@code k ln 2 + 2 (s + s^3 / 3 + s^5 / 5 ...)}. As
     * {@code |s| <= 0.1716}, the first term left out, {@code s^21 / 21}, is below {@code 2^-55}.
     * {@code lost} is what the sum {@code 1 + x} has lost by rounding, relative to it.
     */
    private static void compute(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            double x = values[i];
            double sum = 1 + x;
            double lost = (x - (sum - 1)) / sum;
            long bits = Double.doubleToRawLongBits(sum);
            long exponent = (bits - ROOT) >> EXPONENT_SHIFT;
            double m = Double.longBitsToDouble(bits - (exponent << EXPONENT_SHIFT));
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
            values[i] = exponent * LN2 + (2 * s * (1 + q * series) + lost);
        }
    }
}
