package io.zarrengine.bench.compare;

import io.zarrengine.bench.report.Median;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The results of a contender, round by round.
 *
 * @param contender the contender
 * @param variant its best options
 * @param samples one for each round
 */
record Series(Contender contender, String variant, List<RoundResult> samples) {
    Series {
        samples = List.copyOf(samples);
    }

    double median() {
        return Median.of(values());
    }

    double medianCpuSecondsPerGigabyte() {
        return Median.of(samples.stream().mapToDouble(RoundResult::cpuSecondsPerGigabyte));
    }

    /**
     * {@return the distance between the largest and the smallest value, as a share of the median}
     */
    double spread() {
        DoubleSummaryStatistics range = values().summaryStatistics();
        return (range.getMax() - range.getMin()) / median();
    }

    private DoubleStream values() {
        return samples.stream().mapToDouble(RoundResult::value);
    }
}
