package io.zarrengine.bench.compare;

import java.util.Arrays;
import java.util.List;

/**
 * What a contender reached, round by round.
 *
 * @param contender who
 * @param variant the options that were best for it
 * @param values one for each round, in the unit of the scenario's work
 */
record Series(Contender contender, String variant, List<Double> values) {
    Series {
        values = List.copyOf(values);
    }

    double median() {
        double[] sorted = sorted();
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** {@return the distance of the largest and the smallest value, as a share of the median} */
    double spread() {
        double[] sorted = sorted();
        return (sorted[sorted.length - 1] - sorted[0]) / median();
    }

    private double[] sorted() {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
