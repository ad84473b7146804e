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
 */
record MemoryRow(
        int crops,
        boolean inOneRead,
        long targetBytes,
        long heapPeakBytes,
        long peakResidentBytes) {
    static final long BUDGET_BYTES = 64 << 20;
    private static final int[] COUNTS = {1_000, 10_000, 100_000, 1_000_000};
    private static final int COUNT_QUICK = 100_000;
    private static final int IN_FLIGHT = 64;

    /** Limit of the heap, which would otherwise grow with the machine's memory. */
    static final long HEAP_BYTES = 32 << 20;

    /**
     * {@return a row for each count, each from a new process}
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
                    rows.add(measure(programs, array, crops, cropBytes, count, inOneRead));
                }
            }
        }
        return rows;
    }

    private static MemoryRow measure(
            WorkerCommands programs,
            Path array,
            Path crops,
            long cropBytes,
            int count,
            boolean inOneRead)
            throws IOException {
        List<String> options =
                List.of(
                        "budget=" + BUDGET_BYTES,
                        "in_flight=" + (inOneRead ? 1 : IN_FLIGHT),
                        "list=" + (inOneRead ? count : 1),
                        "repeat=1");
        try (WorkerProcess worker =
                WorkerProcess.start(programs.engineCommand("-Xmx" + HEAP_BYTES))) {
            worker.open("memory", array, crops, options);
            worker.run("memory", 0, count);
            WorkerProcess.Memory peak = worker.peakMemory();
            return new MemoryRow(
                    count,
                    inOneRead,
                    cropBytes * (inOneRead ? count : IN_FLIGHT),
                    peak.heapBytes(),
                    peak.residentBytes());
        }
    }
}
