package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The peak memory of a process that read few and many crops.
 *
 * @param crops number of crops
 * @param inFlight reads at once, of one crop each; 0: one read requested all of them
 * @param targetBytes size of the targets
 * @param heapPeakBytes peak of the heap, with garbage
 * @param peakResidentBytes peak of everything: heap, native memory, targets, the JVM itself
 * @param requests requests to the server; 0 for files
 * @param retries of these, those that repeated a failed one
 */
record MemoryRow(
        int crops,
        int inFlight,
        long targetBytes,
        long heapPeakBytes,
        long peakResidentBytes,
        long requests,
        long retries) {
    static final long BUDGET_BYTES = 64 << 20;
    private static final int[] COUNTS = {1_000, 10_000, 100_000, 1_000_000};
    private static final int COUNT_QUICK = 100_000;
    private static final String FILES = "";
    private static final int IN_ONE_READ = 0;
    private static final int IN_FLIGHT = 64;

    /** The next read waits for the oldest: with 64, nearly all would wait for each repeated one. */
    private static final int IN_FLIGHT_FAILING = 1000;

    /** Limit of the heap, which would otherwise grow with the machine's memory. */
    static final long HEAP_BYTES = 32 << 20;

    /**
     * {@return a row for each count, each from a new process}
     *
     * @param cropBytes the size of each crop
     */
    static List<MemoryRow> ofFiles(
            WorkerCommands programs, Path array, Path crops, long cropBytes, boolean quick)
            throws IOException {
        List<MemoryRow> rows = new ArrayList<>();
        for (int inFlight : new int[] {IN_FLIGHT, IN_ONE_READ}) {
            for (int count : COUNTS) {
                if (!quick || count <= COUNT_QUICK) {
                    rows.add(measure(programs, array, crops, cropBytes, count, inFlight, FILES));
                }
            }
        }
        return rows;
    }

    /** {@return a row of most crops, from the server of the environment variable BENCH_URL} */
    static MemoryRow ofServer(
            WorkerCommands programs, Path array, Path crops, long cropBytes, boolean quick)
            throws IOException {
        int count = quick ? COUNT_QUICK : COUNTS[COUNTS.length - 1];
        return measure(
                programs, array, crops, cropBytes, count, IN_FLIGHT_FAILING, "url=BENCH_URL");
    }

    private static MemoryRow measure(
            WorkerCommands programs,
            Path array,
            Path crops,
            long cropBytes,
            int count,
            int inFlight,
            String url)
            throws IOException {
        boolean inOneRead = inFlight == IN_ONE_READ;
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "budget=" + BUDGET_BYTES,
                                "in_flight=" + (inOneRead ? 1 : inFlight),
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
                    inFlight,
                    cropBytes * (inOneRead ? count : inFlight),
                    peak.heapBytes(),
                    peak.residentBytes(),
                    sent.requests(),
                    sent.retries());
        }
    }
}
