package io.zarrengine.bench.compare;

import java.time.LocalDate;
import java.util.List;

/**
 * Everything that a comparison found.
 *
 * @param date of the run
 * @param machine that it ran on
 * @param versions of those who took part
 * @param rounds of each row
 * @param results the rows
 * @param memory rows of their own; may be empty
 */
record Report(
        LocalDate date,
        Machine machine,
        List<String> versions,
        int rounds,
        List<ScenarioResult> results,
        List<MemoryRow> memory) {
    Report {
        versions = List.copyOf(versions);
        results = List.copyOf(results);
        memory = List.copyOf(memory);
    }
}
