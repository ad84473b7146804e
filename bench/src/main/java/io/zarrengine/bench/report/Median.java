package io.zarrengine.bench.report;

import java.util.List;
import java.util.stream.DoubleStream;

/** Computes medians. */
public final class Median {
    private Median() {}

    /** {@return the median, the mean of the middle two for an even count; NaN for no values} */
    public static double of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** {@return the median of a list} */
    public static double of(List<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue));
    }
}
