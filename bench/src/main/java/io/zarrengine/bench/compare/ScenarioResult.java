package io.zarrengine.bench.compare;

import io.zarrengine.bench.report.Median;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The results of a scenario. A ratio is the median of the ratios of the rounds, because a slow
 * phase of the machine affects both sides of a round. More than 1 is better for the engine, in any
 * unit.
 *
 * @param scenario the row
 * @param series one for each contender that took part
 * @param counters of the engine, if it took part
 */
record ScenarioResult(Scenario scenario, List<Series> series, Optional<EngineCounters> counters) {
    ScenarioResult {
        series = List.copyOf(series);
    }

    Optional<Series> of(Contender contender) {
        return series.stream().filter(one -> one.contender() == contender).findFirst();
    }

    /** {@return the best peer that took part} */
    Optional<Series> bestPeer() {
        Comparator<Series> bySpeed = Comparator.comparingDouble(this::speed);
        return series.stream()
                .filter(one -> one.contender().role() == Contender.Role.PEER)
                .max(bySpeed);
    }

    /**
     * {@return the speed of the engine relative to another contender; empty if one was not
     * measured}
     */
    Optional<Double> ratio(Contender other) {
        return ratio(Contender.ENGINE, other, 0);
    }

    /** {@return the speed of a contender relative to another one} */
    Optional<Double> ratio(Contender one, Contender other) {
        return ratio(one, other, 0);
    }

    private Optional<Double> ratio(Contender one, Contender other, double allowance) {
        return of(one).flatMap(series -> of(other).map(its -> ratio(series, its, allowance)));
    }

    private double ratio(Series one, Series other, double allowance) {
        int rounds = Math.min(one.samples().size(), other.samples().size());
        return Median.of(
                IntStream.range(0, rounds)
                        .mapToDouble(round -> {
                            double ours = one.samples().get(round).value();
                            double theirs = other.samples().get(round).value() + allowance;
                            return scenario.work().lessIsBetter() ? theirs / ours : ours / theirs;
                        }));
    }

    /** {@return the speed of the engine relative to the best peer} */
    Optional<Double> ratioToBestPeer() {
        return timesBestPeer(Contender.ENGINE);
    }

    /** {@return the speed of a contender relative to the best peer} */
    Optional<Double> timesBestPeer(Contender one) {
        return bestPeer().flatMap(peer -> ratio(one, peer.contender(), 0));
    }

    /** {@return the share that the engine reached of a goal's slowest limit} */
    Optional<Double> share(Goal goal) {
        return goal.limits().stream()
                .map(limit -> ratio(Contender.ENGINE, limit, goal.allowance()))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    private double speed(Series one) {
        return scenario.work().lessIsBetter() ? 1 / one.median() : one.median();
    }
}
