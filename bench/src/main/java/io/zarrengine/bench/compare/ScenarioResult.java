package io.zarrengine.bench.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a scenario showed. A ratio is the median of the ratios of the rounds: what slows the machine
 * down for a while slows both sides of a round down. More than 1 is better for the engine, whatever
 * the unit.
 *
 * @param scenario the row
 * @param series who took part
 * @param counters of the engine, if it took part
 */
record ScenarioResult(Scenario scenario, List<Series> series, Optional<EngineCounters> counters) {
    ScenarioResult {
        series = List.copyOf(series);
    }

    Optional<Series> of(Contender contender) {
        return series.stream().filter(one -> one.contender() == contender).findFirst();
    }

    /** {@return the best of the peers that took part} */
    Optional<Series> bestPeer() {
        Comparator<Series> bySpeed = Comparator.comparingDouble(this::speed);
        return series.stream()
                .filter(one -> one.contender().role() == Contender.Role.PEER)
                .max(bySpeed);
    }

    /** {@return how many times as fast as another the engine was; empty if one was not measured} */
    Optional<Double> ratio(Contender other) {
        return ratio(Contender.ENGINE, other, 0);
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

    /** {@return how many times as fast as the best peer the engine was} */
    Optional<Double> ratioToBestPeer() {
        return timesBestPeer(Contender.ENGINE);
    }

    /** {@return how many times as fast as the best peer another one was} */
    Optional<Double> timesBestPeer(Contender one) {
        return bestPeer().flatMap(peer -> ratio(one, peer.contender(), 0));
    }

    /** {@return the share of the slowest limit of a goal that the engine reached} */
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
