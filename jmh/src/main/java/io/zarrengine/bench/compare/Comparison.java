package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures one scenario: opens every way of every contender, compares what they deliver, tries each
 * way once, and then lets the best ways take turns, so that what disturbs the machine disturbs all
 * of them.
 */
final class Comparison {
    private static final int LATENCY_READS = 4096;

    /** Until the compilers of the engine's JVM are done. */
    private static final double WARM_UP_SECONDS = 2;

    private final WorkerPool workers;
    private final int rounds;
    private final double seconds;

    /**
     * Sets up.
     *
     * @param rounds how often each contender is measured
     * @param seconds how long, at least
     */
    Comparison(WorkerPool workers, int rounds, double seconds) {
        this.workers = workers;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** A way of a contender, opened in its worker. */
    private record Way(Contender contender, WorkerProcess worker, String name, String label) {}

    ScenarioResult run(Scenario scenario, Path array, Path crops) throws IOException {
        Map<Contender, List<Way>> ways = open(scenario, array, crops);
        compareElements(scenario, ways);
        List<Way> best = new ArrayList<>();
        for (List<Way> ofOne : ways.values()) {
            best.add(best(scenario, ofOne));
        }
        List<Series> series = measure(scenario, best, evicter(ways));
        for (List<Way> ofOne : ways.values()) {
            for (Way way : ofOne) {
                way.worker().close(way.name());
            }
        }
        return new ScenarioResult(scenario, series);
    }

    private Map<Contender, List<Way>> open(Scenario scenario, Path array, Path crops)
            throws IOException {
        Map<Contender, List<Way>> ways = new EnumMap<>(Contender.class);
        for (Contender contender : Contender.values()) {
            List<Way> ofOne = new ArrayList<>();
            for (List<String> options : contender.variants(scenario)) {
                Optional<WorkerProcess> worker = workers.of(contender);
                if (worker.isPresent()) {
                    Way way = way(scenario, contender, worker.get(), options);
                    if (tryOpen(way, array, crops, options)) {
                        ofOne.add(way);
                    }
                }
            }
            if (!ofOne.isEmpty()) {
                ways.put(contender, ofOne);
            }
        }
        return ways;
    }

    private static Way way(
            Scenario scenario, Contender contender, WorkerProcess worker, List<String> options) {
        String label =
                String.join(" ", options.stream().filter(o -> !o.matches(GEOMETRY)).toList());
        return new Way(contender, worker, scenario.key() + "/" + contender + "/" + label, label);
    }

    private static final String GEOMETRY = "(shape|chunk|inner|item|codec|mode)=.*";

    /** What the engine cannot do yet is left out, and said. */
    private static boolean tryOpen(Way way, Path array, Path crops, List<String> options)
            throws IOException {
        try {
            way.worker().open(way.name(), array, crops, options);
            return true;
        } catch (WorkerException e) {
            IO.println("left out: " + e.getMessage());
            return false;
        }
    }

    /** Before anything is timed. */
    private static void compareElements(Scenario scenario, Map<Contender, List<Way>> ways)
            throws IOException {
        Map<Integer, Map<String, String>> checksums = new LinkedHashMap<>();
        for (List<Way> ofOne : ways.values()) {
            for (Way way : ofOne) {
                if (way.contender().delivers()) {
                    int crops = way.contender().cropsMax(scenario);
                    checksums
                            .computeIfAbsent(crops, c -> new LinkedHashMap<>())
                            .put(way.worker().checksum(way.name(), crops), way.name());
                }
            }
        }
        Way reference = ways.get(Contender.C) == null ? null : ways.get(Contender.C).getFirst();
        for (Map.Entry<Integer, Map<String, String>> entry : checksums.entrySet()) {
            if (reference != null) {
                entry.getValue()
                        .put(
                                reference.worker().checksum(reference.name(), entry.getKey()),
                                reference.name());
            }
            if (entry.getValue().size() > 1) {
                throw new IOException("different elements: " + entry.getValue());
            }
        }
    }

    private Way best(Scenario scenario, List<Way> ways) throws IOException {
        if (ways.getFirst().contender() == Contender.ENGINE) {
            value(scenario, ways.getFirst(), WARM_UP_SECONDS);
        }
        Way best = ways.getFirst();
        double bestSpeed = 0;
        for (Way way : ways.size() == 1 ? List.<Way>of() : ways) {
            double value = value(scenario, way, seconds / 2);
            double speed = scenario.work().lessIsBetter() ? 1 / value : value;
            if (speed > bestSpeed) {
                bestSpeed = speed;
                best = way;
            }
        }
        return best;
    }

    private List<Series> measure(Scenario scenario, List<Way> ways, Optional<Way> evicter)
            throws IOException {
        Map<Way, List<Double>> values = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Way way : ways) {
                if (scenario.work() == Work.COLD && evicter.isPresent()) {
                    evicter.get().worker().evict(evicter.get().name());
                }
                values.computeIfAbsent(way, w -> new ArrayList<>())
                        .add(value(scenario, way, seconds));
            }
        }
        return values.entrySet().stream()
                .map(entry ->
                        new Series(
                                entry.getKey().contender(),
                                entry.getKey().label(),
                                entry.getValue()))
                .toList();
    }

    private static Optional<Way> evicter(Map<Contender, List<Way>> ways) {
        return Optional.ofNullable(ways.get(Contender.C)).map(List::getFirst);
    }

    private static double value(Scenario scenario, Way way, double seconds) throws IOException {
        if (scenario.work() == Work.LATENCY) {
            return way.worker().latency(way.name(), LATENCY_READS).medianMicros();
        }
        double atLeast = scenario.work() == Work.COLD ? 0 : seconds;
        return way.worker()
                .run(way.name(), atLeast, way.contender().cropsMax(scenario))
                .gigabytesPerSecond();
    }
}
