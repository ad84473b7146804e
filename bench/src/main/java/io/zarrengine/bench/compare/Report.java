package io.zarrengine.bench.compare;

import io.zarrengine.bench.report.Machine;
import java.time.LocalDate;
import java.util.List;

/**
 * The results of a comparison.
 *
 * @param date of the run
 * @param machine of the run
 * @param versions of the contenders
 * @param rounds of each row
 * @param results the rows
 * @param memory rows of memory; may be empty
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
