package io.zarrengine.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Formats results as Markdown tables. */
public final class MarkdownTable {
    private static final String ABSENT = "–";

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

    /** {@return peak memory of processes that read few and many crops} */
    static List<String> memory(List<MemoryRow> rows) {
        MarkdownTable table =
                new MarkdownTable(
                        "| crops | in flight | targets | heap | limit | process |",
                        "| --: | --- | --: | --: | --: | --: |");
        for (MemoryRow row : rows) {
            table.add(
                    "%,d".formatted(row.crops()),
                    row.inOneRead() ? "all in one read" : "64 reads of one",
                    mebibytes(row.targetBytes()),
                    mebibytes(row.heapPeakBytes()),
                    mebibytes(MemoryRow.HEAP_BYTES),
                    mebibytes(row.peakResidentBytes()));
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
