package io.zarrengine.bench.compare;

import static io.zarrengine.bench.compare.Contender.ENGINE;
import static io.zarrengine.bench.compare.Contender.ENGINE_C1;
import static io.zarrengine.bench.compare.Contender.TENSORSTORE;
import static io.zarrengine.bench.compare.Contender.ZARRS;

import io.zarrengine.bench.report.Median;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
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
    private static final List<ToDoubleFunction<NewProcess>> RATES =
            List.of(NewProcess::firstRate, NewProcess::rateFromStart);

    FirstRow {
        processes = Map.copyOf(processes);
    }

    /** {@return the head of the table} */
    static List<String> head() {
        return List.of(
                "| first pass, GB/s | zarr-engine | with C1 | TensorStore | zarrs | ratio | with C1 |"
                        + " from start | with C1 | second second | with C1 |",
                "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    }

    /**
     * {@return a line of the table} Ratios are to TensorStore: of the rates of the first pass; of
     * the first pass with the start of the process and opening; last, the rate in the second second
     * to the engine's own steady rate.
     */
    String line() {
        StringJoiner line = new StringJoiner(" | ", "| ", " |").add(scenario.name());
        for (Contender contender : List.of(ENGINE, ENGINE_C1, TENSORSTORE, ZARRS)) {
            line.add(text(of(contender, NewProcess::firstRate)));
        }
        for (ToDoubleFunction<NewProcess> rate : RATES) {
            for (Contender contender : List.of(ENGINE, ENGINE_C1)) {
                line.add(text(of(contender, rate) / of(TENSORSTORE, rate)));
            }
        }
        for (Contender contender : List.of(ENGINE, ENGINE_C1)) {
            line.add(text(shareOfSteady(contender)));
        }
        return line.toString();
    }

    /** Returns the second second's share of the steady rate; NaN if it was not measured. */
    private double shareOfSteady(Contender contender) {
        List<NewProcess> measured = processes.getOrDefault(contender, List.of());
        if (measured.isEmpty()) {
            return Double.NaN;
        }
        NewProcess longest = measured.getFirst();
        return longest.rateBetween(1, 2) / longest.rateBetween(STEADY_FROM, LONG_SECONDS);
    }

    /** Returns the median over a contender's processes; NaN if it is not installed. */
    private double of(Contender contender, ToDoubleFunction<NewProcess> value) {
        return Median.of(processes.getOrDefault(contender, List.of()).stream().mapToDouble(value));
    }

    private static String text(double number) {
        return Double.isNaN(number) ? "–" : String.format(Locale.ROOT, "%.2f", number);
    }
}
