package io.zarrengine.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A row of {@code bin/bench first}.
 *
 * @param scenario the crops
 * @param processes the processes of each contender, in turns; the first of each ran longest
 */
record FirstRow(Scenario scenario, Map<Contender, List<NewProcess>> processes) {
    /** The seconds that a contender's longest process reads. */
    static final double LONG_SECONDS = 14;

    private static final double STEADY_FROM = 10;

    FirstRow {
        processes = Map.copyOf(processes);
    }

    /** {@return the head of the table} */
    static List<String> head() {
        return List.of(
                "| first pass of a new process, GB/s | zarr-engine | start | open | second s / steady |"
                        + " TensorStore | zarrs | ratio | ratio from start |",
                "| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    }

    /**
     * {@return a line of the table} Times are seconds. The last two ratios are to the faster peer;
     * the last one counts from the start of the process.
     */
    String line() {
        List<NewProcess> engine = processes.get(Contender.ENGINE);
        NewProcess longest = engine.getFirst();
        double steady = longest.rateBetween(STEADY_FROM, LONG_SECONDS);
        return String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f | %.2f | %s | %s | %s | %s |",
                scenario.name(),
                median(engine, NewProcess::firstRate),
                median(engine, NewProcess::startSeconds),
                median(engine, NewProcess::openSeconds),
                longest.rateBetween(1, 2) / steady,
                firstRate(Contender.TENSORSTORE),
                firstRate(Contender.ZARRS),
                ratio(NewProcess::firstRate),
                ratio(NewProcess::rateFromStart));
    }

    private String firstRate(Contender contender) {
        return text(of(contender, NewProcess::firstRate));
    }

    private String ratio(ToDoubleFunction<NewProcess> rate) {
        OptionalDouble best =
                processes.keySet().stream()
                        .filter(contender -> contender != Contender.ENGINE)
                        .mapToDouble(contender -> median(processes.get(contender), rate))
                        .max();
        return best.isEmpty()
                ? "–"
                : text(
                        Optional.of(
                                median(processes.get(Contender.ENGINE), rate)
                                        / best.getAsDouble()));
    }

    private Optional<Double> of(Contender contender, ToDoubleFunction<NewProcess> rate) {
        return Optional.ofNullable(processes.get(contender)).map(some -> median(some, rate));
    }

    private static String text(Optional<Double> number) {
        return number.map(value -> String.format(Locale.ROOT, "%.2f", value)).orElse("–");
    }

    private static double median(List<NewProcess> some, ToDoubleFunction<NewProcess> value) {
        return Median.of(some.stream().mapToDouble(value));
    }
}
