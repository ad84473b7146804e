package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures one scenario: opens every way of every contender, compares the delivered elements, tries
 * each contender's ways in turns, and then measures the best ways in turns, so that disturbances of
 * the machine affect all of them.
 */
final class Comparison {
    private static final int LATENCY_READS = 4096;

    /**
     * Measurements of each way before the best one is chosen; a single one would choose by chance.
     */
    private static final int TRIALS = 3;

    /**
     * Least rounds of a contender that takes much longer than planned; it gets fewer rounds than
     * others.
     */
    private static final int ROUNDS_MIN = 2;

    private static final int PATIENCE = 20;

    /** Least steps of {@link #STEP_SECONDS}, until the compilers of the engine's JVM are done. */
    private static final int WARM_UP_STEPS_MIN = 4;

    private static final int WARM_UP_STEPS_MAX = 15;
    private static final int STEPS_WITHOUT_GAIN = 2;
    private static final double STEP_SECONDS = 2;
    private static final double GAIN_MIN = 0.02; // a smaller gain is noise

    private final Scenario scenario;
    private final WorkerPool workers;
    private final int rounds;
    private final double seconds;
    private final Map<Contender, List<Way>> ways = new EnumMap<>(Contender.class);

    /**
     * Prepares the comparison.
     *
     * @param rounds measurements of each contender
     * @param seconds least duration of each
     */
    Comparison(Scenario scenario, WorkerPool workers, int rounds, double seconds) {
        this.scenario = scenario;
        this.workers = workers;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /**
     * Measures the scenario.
     *
     * @param array its folder
     * @param crops the file with the scenario's crops
     * @throws IOException if contenders deliver different elements, or one of them fails
     */
    ScenarioResult run(Path array, Path crops) throws IOException {
        for (Contender contender : Contender.values()) {
            open(contender, array, crops);
        }
        compareElements();
        List<Way> best = new ArrayList<>();
        for (List<Way> ofOne : ways.values()) {
            best(ofOne).ifPresent(best::add);
        }
        List<Series> series = List.copyOf(inTurns(best, rounds, seconds).values());
        Optional<EngineCounters> counters = counters(best);
        for (List<Way> ofOne : ways.values()) {
            for (Way way : ofOne) {
                way.close();
            }
        }
        return new ScenarioResult(scenario, series, counters);
    }

    /** Opens all ways of a contender. Reports a way that it cannot do and leaves it out. */
    private void open(Contender contender, Path array, Path crops) throws IOException {
        for (List<String> options : contender.variants(scenario)) {
            Optional<WorkerProcess> worker = workers.of(contender);
            if (worker.isEmpty()) {
                return;
            }
            int number = ways.getOrDefault(contender, List.of()).size();
            String name = String.join("/", scenario.key(), contender.name(), "" + number);
            Way way = new Way(contender, worker.get(), name, options);
            try {
                way.open(array, crops);
                ways.computeIfAbsent(contender, c -> new ArrayList<>()).add(way);
            } catch (WorkerException e) {
                IO.println(
                        scenario.name() + ", " + contender.title() + ": left out, " + e.answer());
            }
        }
    }

    /**
     * Compares the elements before anything is timed. A contender that reads few crops is compared
     * with plain C on those.
     */
    private void compareElements() throws IOException {
        List<Way> delivering =
                ways.values().stream()
                        .flatMap(List::stream)
                        .filter(way -> way.contender().delivers())
                        .toList();
        if (delivering.isEmpty()) {
            return;
        }
        Way right = reference().orElse(delivering.getFirst());
        try (DeliveredBytes delivered = new DeliveredBytes(right)) {
            for (Way way : delivering) {
                if (!way.equals(right)) {
                    compareElements(delivered, way);
                }
            }
        }
    }

    /** A peer that fails is left out: a distant server may refuse its many connections. */
    private void compareElements(DeliveredBytes delivered, Way way) throws IOException {
        try {
            delivered.compare(way, way.contender().cropsCompared(scenario));
        } catch (WorkerException e) {
            if (way.contender().role() != Contender.Role.PEER) {
                throw e;
            }
            IO.println(scenario.name() + ", " + way.label() + ": left out, " + e.answer());
            List<Way> others = ways.get(way.contender());
            others.remove(way);
            if (others.isEmpty()) {
                ways.remove(way.contender());
            }
            way.close();
        }
    }

    private Optional<Way> reference() {
        return Optional.ofNullable(ways.get(Contender.C)).map(List::getFirst);
    }

    /** Returns a contender's best way; empty if all of its ways fail under load. */
    private Optional<Way> best(List<Way> all) throws IOException {
        List<Way> ofOne = all;
        if (all.getFirst().contender().warmsUp()) {
            warmUp(all.getFirst());
        } else {
            ofOne = all.stream().filter(this::works).toList();
        }
        if (ofOne.size() <= 1) {
            return ofOne.stream().findFirst();
        }
        Comparator<Series> bySpeed = Comparator.comparingDouble(Series::median);
        Comparator<Series> byMerit = scenario.work().lessIsBetter() ? bySpeed.reversed() : bySpeed;
        Map<Way, Series> trials = inTurns(ofOne, TRIALS, seconds / TRIALS);
        return trials.entrySet().stream()
                .max(Map.Entry.comparingByValue(byMerit))
                .map(Map.Entry::getKey);
    }

    /** Returns whether a peer's way works under load. Reports it otherwise. */
    private boolean works(Way way) {
        try {
            sample(way, seconds / TRIALS);
            return true;
        } catch (IOException e) {
            IO.println(scenario.name() + ", " + way.label() + ": left out, " + e.getMessage());
            return false;
        }
    }

    /** Runs a way until its cost stops falling; a slow machine takes three times as long. */
    private void warmUp(Way way) throws IOException {
        double best = Double.POSITIVE_INFINITY;
        int withoutGain = 0;
        for (int step = 0; step < WARM_UP_STEPS_MAX; step++) {
            double cost = costAfter(way, STEP_SECONDS);
            withoutGain = cost < (1 - GAIN_MIN) * best ? 0 : withoutGain + 1;
            best = Math.min(best, cost);
            if (step + 1 >= WARM_UP_STEPS_MIN && withoutGain >= STEPS_WITHOUT_GAIN) {
                return;
            }
        }
    }

    /**
     * Returns the cost of the last sample within some seconds: its CPU time, or the latency of a
     * read.
     */
    private double costAfter(Way way, double secondsMin) throws IOException {
        long begin = System.nanoTime();
        RoundResult last;
        do {
            last = sample(way, secondsMin);
        } while (System.nanoTime() - begin < secondsMin * 1e9);
        return scenario.work().lessIsBetter() ? last.value() : last.cpuSecondsPerGigabyte();
    }

    private Map<Way, Series> inTurns(List<Way> some, int turns, double secondsEach)
            throws IOException {
        Map<Way, List<RoundResult>> samples = new LinkedHashMap<>();
        Map<Way, Double> secondsSpent = new HashMap<>();
        some.forEach(way -> samples.put(way, new ArrayList<>()));
        for (int turn = 0; turn < turns; turn++) {
            for (Way way : turn % 2 == 0 ? some : some.reversed()) {
                long begin = System.nanoTime();
                if (turn < ROUNDS_MIN || secondsSpent.get(way) < PATIENCE * secondsEach) {
                    samples.get(way).add(sample(way, secondsEach));
                    secondsSpent.merge(way, (System.nanoTime() - begin) / 1e9, Double::sum);
                }
            }
        }
        Map<Way, Series> series = new LinkedHashMap<>();
        samples.forEach(
                (way, ofWay) -> series.put(way, new Series(way.contender(), way.label(), ofWay)));
        return series;
    }

    private RoundResult sample(Way way, double secondsMin) throws IOException {
        if (scenario.work() == Work.LATENCY) {
            return RoundResult.of(way.worker().latency(way.name(), LATENCY_READS));
        }
        boolean cold = scenario.work() == Work.COLD;
        if (cold && reference().isPresent()) {
            reference().get().worker().evict(reference().get().name());
        }
        int crops = way.contender().cropsMax(scenario);
        return RoundResult.of(way.worker().run(way.name(), cold ? 0 : secondsMin, crops));
    }

    private static Optional<EngineCounters> counters(List<Way> best) throws IOException {
        for (Way way : best) {
            if (way.contender() == Contender.ENGINE) {
                return Optional.of(way.worker().counters(way.name()));
            }
        }
        return Optional.empty();
    }
}
