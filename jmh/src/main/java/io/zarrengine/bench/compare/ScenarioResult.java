package io.zarrengine.bench.compare;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a scenario showed. Ratios are of medians; more than 1 is better for the engine, whatever the
 * unit.
 *
 * @param scenario the row
 * @param series who took part
 */
record ScenarioResult(Scenario scenario, List<Series> series) {
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
        return of(Contender.ENGINE)
                .flatMap(engine -> of(other).map(series -> speed(engine) / speed(series)));
    }

    /** {@return how many times as fast as the best peer the engine was} */
    Optional<Double> ratioToBestPeer() {
        return bestPeer().flatMap(peer -> ratio(peer.contender()));
    }

    /** {@return the share of the slowest limit of a goal that the engine reached} */
    Optional<Double> share(Goal goal) {
        return goal.limits().stream()
                .map(this::ratio)
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    private double speed(Series one) {
        return scenario.work().lessIsBetter() ? 1 / one.median() : one.median();
    }
}
