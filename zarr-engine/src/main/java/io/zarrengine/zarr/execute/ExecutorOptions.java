package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.files.Descriptors;

/**
 * The division of an executor's memory.
 *
 * @param workers number of threads
 * @param readMemoryBytes memory that each worker reads into
 * @param workspaceBytes memory that each worker decodes in; a chunk that needs more reserves it
 * @param largeBytesMax memory that all reads and chunks that need more may take together
 * @param indexBytesMax memory that the cache of shard indexes may take
 * @param resultBytesMax memory of closed results that is kept for the next ones
 * @param readsInFlight reads of one worker at once
 * @param fusedBytesMax the longest stretch of several inner chunks
 * @param verifiesChecksums whether the checksums of chunks are compared
 * @param keptChunkBytesMax memory for decoded chunks that are kept for the next read; 0 keeps none
 */
public record ExecutorOptions(
        int workers,
        long readMemoryBytes,
        long workspaceBytes,
        long largeBytesMax,
        long indexBytesMax,
        long resultBytesMax,
        int readsInFlight,
        long fusedBytesMax,
        boolean verifiesChecksums,
        long keptChunkBytesMax) {

    /** The smallest budget of an executor. */
    public static final long BUDGET_BYTES_MIN = 16L << 20;

    private static final long WORKER_BYTES_MIN = 1L << 20;

    /**
     * The bytes in flight at which up to 16 workers together take no more reads of a disk. From 8
     * MiB on a disk delivers less, and each worker takes one read beyond its share
     * (docs/decisions/landing-memory.md).
     */
    private static final long IN_FLIGHT_BYTES_MAX = 6L << 20;

    /** Two of the longest stretches fit: one is decoded while the other is read. */
    private static final long WINDOW_BYTES_MIN = 384 << 10;

    private static final long READ_BYTES_MAX = 16L << 20;

    /** A chunk that needs more gets pages of its own, which costs as much as decoding it. */
    private static final long WORKSPACE_BYTES_MAX = 64L << 20;

    /** Enough to keep a disk busy; more only adds latency. */
    private static final int READS_IN_FLIGHT_MAX = 128;

    private static final int READS_IN_FLIGHT_MIN = 4;

    /** Above this a longer read is not cheaper for each byte. */
    private static final long FUSED_BYTES_MAX = 256 << 10;

    /** {@return the smallest budget of which something is left when the workers have theirs} */
    private static long bytesMin(int workers) {
        long ofWorkers = workers * (WORKER_BYTES_MIN + WORKER_BYTES_MIN / 2L);
        long bytes = Math.max(BUDGET_BYTES_MIN, ofWorkers / 7 * 8);
        while (bytes - bytes / 8 <= ofWorkers) {
            bytes++;
        }
        return bytes;
    }

    /**
     * {@return a division of one budget: up to an eighth for the workers' reading, as much for
     * their decoding, an eighth for indexes, of the rest an eighth for results, and what then is
     * left for what is large; reading gets more where that brings it a huge page for each worker}
     *
     * @param workers threads, {@code > 0}
     * @param budgetBytes the memory to divide, at least {@link #BUDGET_BYTES_MIN}
     */
    public static ExecutorOptions divide(int workers, long budgetBytes) {
        long share = budgetBytes / 8 / workers;
        long readBytes = Math.clamp(wholeHugePages(share), WORKER_BYTES_MIN, READ_BYTES_MAX);
        long workspaceBytes = Math.clamp(share, WORKER_BYTES_MIN / 2, WORKSPACE_BYTES_MAX);
        long indexBytes = budgetBytes / 8;
        long large = budgetBytes - indexBytes - workers * (readBytes + workspaceBytes);
        if (budgetBytes < BUDGET_BYTES_MIN || large <= 0) {
            throw new IllegalArgumentException(
                    "a budget of "
                            + budgetBytes
                            + " bytes is too small for "
                            + workers
                            + " workers: they need "
                            + bytesMin(workers)
                            + " (budgetBytes, or --memory "
                            + Math.ceilDiv(bytesMin(workers), 1 << 20)
                            + " of the command)");
        }
        long resultBytes = large / 8;
        return new ExecutorOptions(
                workers,
                readBytes,
                workspaceBytes,
                large - resultBytes,
                indexBytes,
                resultBytes,
                readsInFlight(workers, Descriptors.quarter()),
                FUSED_BYTES_MAX,
                true,
                0);
    }

    /** {@return the reads of one worker: each may hold a file, and there are so many files} */
    static int readsInFlight(int workers, int files) {
        return Math.clamp(files / workers, READS_IN_FLIGHT_MIN, READS_IN_FLIGHT_MAX);
    }

    /** {@return the budget that was divided} */
    public long budgetBytes() {
        return workers * (readMemoryBytes + workspaceBytes)
                + largeBytesMax
                + indexBytesMax
                + resultBytesMax;
    }

    /**
     * Rounds up to huge pages. On pages of 4 KiB, pieces of reads fill a drive's queue:
     * docs/decisions/landing-memory.md.
     */
    private static long wholeHugePages(long share) {
        long huge = NativeMemory.HUGE_PAGE_BYTES;
        return 2 * share < huge ? share : Math.max(huge, share & -huge);
    }

    /** {@return the bytes that a worker may have in flight or arrived while it waits for a disk} */
    long windowBytesMax() {
        return Math.clamp(IN_FLIGHT_BYTES_MAX / workers, WINDOW_BYTES_MIN, readMemoryBytes);
    }

    /**
     * {@return how many calling threads may read at once: as many as there are workers, and more as
     * long as they take no more than an eighth of the memory for large chunks} Other callers wait
     * for a worker.
     *
     * @param callerBytes memory that each of them takes
     */
    int callersMax(long callerBytes) {
        long more = largeBytesMax / 8 / callerBytes;
        return Math.clamp(more, workers, Integer.MAX_VALUE);
    }

    /** {@return what the plan of one read should take of the heap: as much as the indexes may} */
    public long planBytesMax() {
        return Math.min(indexBytesMax, Runtime.getRuntime().maxMemory() / 8);
    }

    /**
     * {@return these options}
     *
     * @param newVerifiesChecksums whether the checksums of chunks are compared
     */
    public ExecutorOptions verifyingChecksums(boolean newVerifiesChecksums) {
        return new ExecutorOptions(
                workers,
                readMemoryBytes,
                workspaceBytes,
                largeBytesMax,
                indexBytesMax,
                resultBytesMax,
                readsInFlight,
                fusedBytesMax,
                newVerifiesChecksums,
                keptChunkBytesMax);
    }

    /**
     * {@return these options}
     *
     * @param newKeptChunkBytesMax what decoded chunks may take that are kept; 0 keeps none
     */
    public ExecutorOptions keepingChunks(long newKeptChunkBytesMax) {
        return new ExecutorOptions(
                workers,
                readMemoryBytes,
                workspaceBytes,
                largeBytesMax,
                indexBytesMax,
                resultBytesMax,
                readsInFlight,
                fusedBytesMax,
                verifiesChecksums,
                newKeptChunkBytesMax);
    }
}
