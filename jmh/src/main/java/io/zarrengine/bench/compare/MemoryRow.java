package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The most memory that a process of its own, with a heap of 32 MiB, has had after it read few and
 * many crops.
 *
 * @param crops how many it read
 * @param peakResidentBytes everything: heap, native memory, destination, the JVM itself
 */
record MemoryRow(int crops, long peakResidentBytes) {
    static final long BUDGET_BYTES = 64 << 20;
    private static final int[] COUNTS = {1_000, 1_000_000};
    private static final int COUNT_QUICK = 100_000;
    private static final int IN_FLIGHT = 64;

    /** Else the heap grows into what the machine has, because it may. */
    private static final String HEAP = "-Xmx32m";

    /** {@return a row for each count, each of a process that is as new as the others} */
    static List<MemoryRow> measure(Programs programs, Path array, Path crops, boolean quick)
            throws IOException {
        List<MemoryRow> rows = new ArrayList<>();
        for (int count : COUNTS) {
            rows.add(measure(programs, array, crops, quick ? Math.min(count, COUNT_QUICK) : count));
        }
        return rows;
    }

    private static MemoryRow measure(Programs programs, Path array, Path crops, int count)
            throws IOException {
        try (WorkerProcess worker = WorkerProcess.start(programs.engineCommand(HEAP))) {
            List<String> options = List.of("budget=" + BUDGET_BYTES, "in_flight=" + IN_FLIGHT);
            worker.open("memory", array, crops, options);
            worker.run("memory", 0, count);
            return new MemoryRow(count, worker.peakResidentBytes());
        }
    }
}
