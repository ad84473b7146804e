package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The peak memory of a process that read few and many crops.
 *
 * @param crops number of crops
 * @param inOneRead whether one read requested all of them; otherwise 64 are in flight, one each
 * @param targetBytes size of the targets
 * @param heapPeakBytes peak of the heap, with garbage
 * @param peakResidentBytes peak of everything: heap, native memory, targets, the JVM itself
 * @param requests requests to the server; 0 for files
 * @param retries of these, those that repeated a failed one
 */
record MemoryRow(
        int crops,
        boolean inOneRead,
        long targetBytes,
        long heapPeakBytes,
        long peakResidentBytes,
        long requests,
        long retries) {
    static final long BUDGET_BYTES = 64 << 20;
    private static final int[] COUNTS = {1_000, 10_000, 100_000, 1_000_000};
    private static final int COUNT_QUICK = 100_000;
    private static final String FILES = "";
    private static final int IN_FLIGHT = 64;

    /** Limit of the heap, which would otherwise grow with the machine's memory. */
    static final long HEAP_BYTES = 32 << 20;

    /**
     * {@return a row for each count, each from a new process, and one for most crops from the
     * server that the environment may name BENCH_URL}
     *
     * @param cropBytes the size of each crop
     */
    static List<MemoryRow> measure(
            WorkerCommands programs, Path array, Path crops, long cropBytes, boolean quick)
            throws IOException {
        List<MemoryRow> rows = new ArrayList<>();
        for (boolean inOneRead : new boolean[] {false, true}) {
            for (int count : COUNTS) {
                if (!quick || count <= COUNT_QUICK) {
                    rows.add(measure(programs, array, crops, cropBytes, count, inOneRead, FILES));
                }
            }
        }
        if (System.getenv("BENCH_URL") != null) {
            int count = quick ? COUNT_QUICK : COUNTS[COUNTS.length - 1];
            rows.add(measure(programs, array, crops, cropBytes, count, false, "url=BENCH_URL"));
        }
        return rows;
    }

    private static MemoryRow measure(
            WorkerCommands programs,
            Path array,
            Path crops,
            long cropBytes,
            int count,
            boolean inOneRead,
            String url)
            throws IOException {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "budget=" + BUDGET_BYTES,
                                "in_flight=" + (inOneRead ? 1 : IN_FLIGHT),
                                "list=" + (inOneRead ? count : 1),
                                "repeat=1"));
        if (!url.isEmpty()) {
            options.add(url);
        }
        try (WorkerProcess worker =
                WorkerProcess.start(programs.engineCommand("-Xmx" + HEAP_BYTES))) {
            worker.open("memory", array, crops, options);
            worker.run("memory", 0, count);
            WorkerProcess.Memory peak = worker.peakMemory();
            WorkerProcess.Requests sent = worker.requests("memory");
            return new MemoryRow(
                    count,
                    inOneRead,
                    cropBytes * (inOneRead ? count : IN_FLIGHT),
                    peak.heapBytes(),
                    peak.residentBytes(),
                    sent.requests(),
                    sent.retries());
        }
    }
}
