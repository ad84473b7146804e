package io.zarrengine.bench.gpu;

import io.zarrengine.bench.report.Median;
import java.util.List;

/**
 * The engine's results for one kind of read.
 *
 * @param work the kind
 * @param samples one for each round, GB/s of elements that arrive
 * @param aim the target in the same unit; NaN if there is none
 * @param against the source of the target
 */
record GpuRow(String work, List<Double> samples, double aim, String against) {
    static final int READS_AT_ONCE = 4;
    static final String AT_A_TIME = READS_AT_ONCE + " reads at a time";

    /** The kind compared with peers' reads of the whole array. */
    static final String ALL = "all, " + AT_A_TIME;

    /** The kind compared with peers' reads of crops, after their number. */
    static final String CROPS = "crops as one read";

    GpuRow {
        samples = List.copyOf(samples);
    }

    double median() {
        return Median.of(samples);
    }

    double smallest() {
        return samples.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    double largest() {
        return samples.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }
}
