package io.zarrengine.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** Writes a report as Markdown: the machine, the tables, the charts. */
final class MarkdownReport {
    private MarkdownReport() {}

    /**
     * {@return the lines}
     *
     * @param charts files, relative to the file with these lines
     */
    static List<String> lines(Report report, List<String> charts) {
        List<String> lines = new ArrayList<>();
        lines.add("%s, %s.".formatted(report.date(), report.machine()));
        lines.add(
                String.join(", ", report.versions())
                        + "; medians of "
                        + report.rounds()
                        + " rounds.");
        add(lines, "### Ratios", MarkdownTable.ratios(report.results()));
        add(lines, "### Medians", MarkdownTable.values(report.results()));
        add(lines, "### Work", MarkdownTable.work(report.results()));
        if (!report.memory().isEmpty()) {
            add(lines, "### Memory", MarkdownTable.memory(report.memory()));
        }
        if (!charts.isEmpty()) {
            lines.add("");
            charts.forEach(chart -> lines.add("![" + chart + "](" + chart + ")"));
        }
        return lines;
    }

    private static void add(List<String> lines, String title, List<String> table) {
        lines.add("");
        lines.add(title);
        lines.add("");
        lines.addAll(table);
    }
}
