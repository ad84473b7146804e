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
