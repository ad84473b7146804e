package io.zarrengine.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Formats results as Markdown tables. */
public final class MarkdownTable {
    private static final String ABSENT = "–";
    private static final List<Contender> WAYS_OF_PYTHON =
            List.of(Contender.PYTHON, Contender.PYTHON_ALLOCATING, Contender.PYTHON_INDEX);

    private final List<String> lines = new ArrayList<>();

    private MarkdownTable(String header, String alignment) {
        lines.add(header);
        lines.add(alignment);
    }

    /** {@return ratios to the best peer, also for plain C, and to limits, beside their targets} */
    static List<String> ratios(List<ScenarioResult> results) {
        MarkdownTable table =
                new MarkdownTable(
                        "| | best peer | times best peer | to new memory | plain C | target | limit"
                                + " | share of it | target |",
                        "| --- | --- | --: | --: | --: | --: | --- | --: | --: |");
        results.forEach(table::addRatios);
        return table.lines;
    }

    /** {@return medians, with half the distance between the smallest and the largest value} */
    static List<String> values(List<ScenarioResult> results) {
        List<String> titles = new ArrayList<>(List.of("", "unit"));
        List<String> alignment = new ArrayList<>(List.of("---", "---"));
        List<Contender> contenders = contenders(results);
        for (Contender contender : contenders) {
            titles.add(contender.title());
            alignment.add("--:");
        }
        MarkdownTable table = new MarkdownTable(row(titles), row(alignment));
        results.forEach(result -> table.addValues(result, contenders));
        return table.lines;
    }

    /** Returns the columns. Who took part in no row has none. */
    private static List<Contender> contenders(List<ScenarioResult> results) {
        return Stream.of(Contender.values())
                .filter(one -> results.stream().anyMatch(row -> row.of(one).isPresent()))
                .toList();
    }

    /** {@return the work of each row, and its CPU time} */
    static List<String> work(List<ScenarioResult> results) {
        MarkdownTable table =
                new MarkdownTable(
                        "| | delivered MB | encoded | read amplification | chunks/s | CPU s/GB"
                                + " | of best peer | of plain C |",
                        "| --- | --: | --: | --: | --: | --: | --: | --: |");
        results.forEach(table::addWork);
        return table.lines;
    }

    /**
     * {@return two tables: single crops in microseconds beside those in Java with the same options;
     * and the speed of Python beside Java, the peers, and the loader's beside those}
     */
    static List<String> fromPython(List<ScenarioResult> results) {
        MarkdownTable single =
                new MarkdownTable(
                        "| one crop, µs | Java | Python | ratio | more | TensorStore |",
                        "| --- | --: | --: | --: | --: | --: |");
        MarkdownTable many =
                new MarkdownTable(
                        "| many crops, GB/s | `out=` | of Java | of Java with these options"
                                + " | new memory of Java's | times TensorStore | zarr-python"
                                + " | loader of Java | normalized of loader"
                                + " | normalized, times TensorStore and NumPy |",
                        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
        for (ScenarioResult result : results) {
            if (result.scenario().work() == Work.LATENCY) {
                for (Contender way : WAYS_OF_PYTHON) {
                    single.addSingle(result, way);
                }
            } else {
                many.addMany(result);
            }
        }
        single.add("target", "", "", "1.30", "30", "");
        many.add("target", "", "0.95", "", "", "1.50", "10.0", "0.97", "0.90", "3.00");
        return Stream.of(single.lines, List.of(""), many.lines).flatMap(List::stream).toList();
    }

    /** Adds a row that compares a way of Python with the way of Java that does the same. */
    private void addSingle(ScenarioResult result, Contender way) {
        Contender java =
                way == Contender.PYTHON
                        ? Contender.ENGINE_AS_IN_PYTHON
                        : Contender.ENGINE_ALLOCATING;
        double own = median(result, way);
        double its = median(result, java);
        add(
                result.scenario().name() + ", " + way.title(),
                number(its),
                number(own),
                result.ratio(java, way).map(MarkdownTable::number).orElse(ABSENT),
                number(own - its),
                number(median(result, Contender.TENSORSTORE)));
    }

    private static double median(ScenarioResult result, Contender one) {
        return result.of(one).map(Series::median).orElse(Double.NaN);
    }

    private void addMany(ScenarioResult result) {
        add(
                result.scenario().name(),
                number(median(result, Contender.PYTHON)),
                judged(result.ratio(Contender.PYTHON, Contender.ENGINE), 0.95),
                ratio(result, Contender.PYTHON, Contender.ENGINE_AS_IN_PYTHON),
                ratio(result, Contender.PYTHON_ALLOCATING, Contender.ENGINE_ALLOCATING),
                judged(result.ratio(Contender.PYTHON, Contender.TENSORSTORE), 1.5),
                judged(result.ratio(Contender.PYTHON, Contender.ZARR_PYTHON), 10),
                judged(result.ratio(Contender.PYTHON_LOADER, Contender.ENGINE), 0.97),
                judged(result.ratio(Contender.PYTHON_TRANSFORM, Contender.PYTHON_LOADER), 0.9),
                judged(
                        result.ratio(Contender.PYTHON_TRANSFORM, Contender.TENSORSTORE_TRANSFORM),
                        3));
    }

    private static String ratio(ScenarioResult result, Contender one, Contender other) {
        return result.ratio(one, other).map(MarkdownTable::number).orElse(ABSENT);
    }

    /** {@return peak memory of processes that read few and many crops} */
    static List<String> memory(List<MemoryRow> rows) {
        MarkdownTable table =
                new MarkdownTable(
                        "| crops | in flight | targets | heap | limit | process | requests | retries |",
                        "| --: | --- | --: | --: | --: | --: | --: | --: |");
        for (MemoryRow row : rows) {
            table.add(
                    "%,d".formatted(row.crops()),
                    row.inFlight() == 0 ? "all in one read" : row.inFlight() + " reads of one",
                    mebibytes(row.targetBytes()),
                    mebibytes(row.heapPeakBytes()),
                    mebibytes(MemoryRow.HEAP_BYTES),
                    mebibytes(row.peakResidentBytes()),
                    "%,d".formatted(row.requests()),
                    "%,d".formatted(row.retries()));
        }
        return table.lines;
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f", bytes / 1024.0 / 1024);
    }

    private void add(String... cells) {
        lines.add(row(List.of(cells)));
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /** Adds a row for each goal, at least one. */
    private void addRatios(ScenarioResult result) {
        Scenario scenario = result.scenario();
        String peer = result.bestPeer().map(best -> best.contender().title()).orElse(ABSENT);
        String times = judged(result.ratioToBestPeer(), scenario.timesBestPeer());
        String allocating = timesBestPeer(result, Contender.ENGINE_ALLOCATING);
        String plain = timesBestPeer(result, Contender.C);
        String target = number(scenario.timesBestPeer());
        if (scenario.goals().isEmpty()) {
            add(scenario.name(), peer, times, allocating, plain, target, ABSENT, ABSENT, ABSENT);
        }
        boolean first = true;
        for (Goal goal : scenario.goals()) {
            String share = judged(result.share(goal), goal.share());
            if (first) {
                add(
                        scenario.name(),
                        peer,
                        times,
                        allocating,
                        plain,
                        target,
                        goal.title(),
                        share,
                        number(goal.share()));
            } else {
                add("", "", "", "", "", "", goal.title(), share, number(goal.share()));
            }
            first = false;
        }
    }

    private static String timesBestPeer(ScenarioResult result, Contender one) {
        return result.timesBestPeer(one).map(MarkdownTable::number).orElse(ABSENT);
    }

    private void addValues(ScenarioResult result, List<Contender> contenders) {
        List<String> cells = new ArrayList<>();
        cells.add(result.scenario().name());
        cells.add(result.scenario().work().unit());
        for (Contender contender : contenders) {
            cells.add(result.of(contender).map(MarkdownTable::value).orElse(ABSENT));
        }
        lines.add(row(cells));
    }

    private void addWork(ScenarioResult result) {
        Optional<Series> engine = result.of(Contender.ENGINE);
        Optional<EngineCounters> counters = result.counters();
        if (engine.isEmpty() || counters.isEmpty() || result.scenario().work().lessIsBetter()) {
            return;
        }
        EngineCounters counted = counters.get();
        add(
                result.scenario().name(),
                number(counted.bytesDelivered() / 1e6),
                number(counted.encodedShare()),
                number(counted.readAmplification()),
                number(counted.chunksPerSecond(engine.get().median())),
                number(engine.get().medianCpuSecondsPerGigabyte()),
                cpuShare(engine.get(), result.bestPeer()),
                cpuShare(engine.get(), result.of(Contender.C)));
    }

    private static String cpuShare(Series engine, Optional<Series> other) {
        return other.map(series ->
                        number(
                                engine.medianCpuSecondsPerGigabyte()
                                        / series.medianCpuSecondsPerGigabyte()))
                .orElse(ABSENT);
    }

    private static String value(Series series) {
        return String.format(
                Locale.ROOT, "%s ± %.0f %%", number(series.median()), 50 * series.spread());
    }

    /** Formats a number with two or three significant digits. */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return ABSENT;
        }
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Formats a ratio, bold if the target is reached. */
    private static String judged(Optional<Double> ratio, double target) {
        return ratio.map(value -> value >= target ? "**" + number(value) + "**" : number(value))
                .orElse(ABSENT);
    }
}
