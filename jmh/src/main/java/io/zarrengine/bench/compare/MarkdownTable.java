package io.zarrengine.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** Results as Markdown: what each contender reached, and the ratios beside their targets. */
final class MarkdownTable {
    private static final String ABSENT = "–";

    private MarkdownTable() {}

    /** {@return medians and spreads of every contender, in the unit of the row} */
    static List<String> values(List<ScenarioResult> results) {
        StringJoiner header = new StringJoiner(" | ", "| | unit | ", " |");
        StringJoiner rule = new StringJoiner(" | ", "| --- | --- | ", " |");
        for (Contender contender : Contender.values()) {
            header.add(contender.title());
            rule.add("--:");
        }
        return lines(header, rule, results.stream().map(MarkdownTable::valueRow).toList());
    }

    /** {@return ratios of medians beside what they shall be} */
    static List<String> ratios(List<ScenarioResult> results) {
        return lines(
                "| | best peer | times best peer | target | of plain C | limit | reached | target |",
                "| --- | --- | --: | --: | --: | --- | --: | --: |",
                results.stream().flatMap(result -> ratioRows(result).stream()).toList());
    }

    private static List<String> lines(Object header, Object rule, List<String> rows) {
        List<String> lines = new java.util.ArrayList<>();
        lines.add(header.toString());
        lines.add(rule.toString());
        lines.addAll(rows);
        return lines;
    }

    private static String valueRow(ScenarioResult result) {
        StringJoiner row = new StringJoiner(" | ", "| ", " |");
        row.add(result.scenario().name()).add(result.scenario().work().unit());
        for (Contender contender : Contender.values()) {
            row.add(result.of(contender).map(MarkdownTable::value).orElse(ABSENT));
        }
        return row.toString();
    }

    private static String value(Series series) {
        return String.format(
                Locale.ROOT, "%s ± %.0f %%", number(series.median()), 50 * series.spread());
    }

    /** Three digits. */
    private static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** A row for each goal, at least one. */
    private static List<String> ratioRows(ScenarioResult result) {
        List<Goal> goals = result.scenario().goals();
        if (goals.isEmpty()) {
            return List.of(ratioRow(result, Optional.empty(), true));
        }
        List<String> rows = new java.util.ArrayList<>();
        for (Goal goal : goals) {
            rows.add(ratioRow(result, Optional.of(goal), rows.isEmpty()));
        }
        return rows;
    }

    private static String ratioRow(ScenarioResult result, Optional<Goal> goal, boolean first) {
        StringJoiner row = new StringJoiner(" | ", "| ", " |");
        Scenario scenario = result.scenario();
        row.add(first ? scenario.name() : "");
        row.add(
                first
                        ? result.bestPeer().map(peer -> peer.contender().title()).orElse(ABSENT)
                        : "");
        row.add(first ? judged(result.ratioToBestPeer(), scenario.timesBestPeer()) : "");
        row.add(first ? number(scenario.timesBestPeer()) : "");
        row.add(first ? ratio(result.ratio(Contender.C)) : "");
        row.add(goal.map(MarkdownTable::names).orElse(ABSENT));
        row.add(goal.map(g -> judged(result.share(g), g.share())).orElse(ABSENT));
        row.add(goal.map(g -> number(g.share())).orElse(ABSENT));
        return row.toString();
    }

    private static String names(Goal goal) {
        StringJoiner names = new StringJoiner(" or ");
        goal.limits().forEach(limit -> names.add(limit.title()));
        return names.toString();
    }

    private static String ratio(Optional<Double> ratio) {
        return ratio.map(MarkdownTable::number).orElse(ABSENT);
    }

    /** Bold if the target is reached. */
    private static String judged(Optional<Double> ratio, double target) {
        return ratio.filter(value -> value >= target)
                .map(value -> "**" + number(value) + "**")
                .orElse(ratio(ratio));
    }
}
