package io.zarrengine.bench.gpu;

import io.zarrengine.bench.compare.Median;
import java.util.List;

/**
 * What the engine reached in one kind of read.
 *
 * @param work the kind
 * @param samples one a round, GB/s of elements that arrive
 * @param aim in the same unit; NaN if there is none
 * @param against what the aim comes from
 */
record GpuRow(String work, List<Double> samples, double aim, String against) {
    static final int READS_AT_ONCE = 4;
    static final String AT_A_TIME = READS_AT_ONCE + " reads at a time";

    /** The kind that others' reads of all are compared with. */
    static final String ALL = "all, " + AT_A_TIME;

    /** Behind their number, the kind that others' reads of crops are compared with. */
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
