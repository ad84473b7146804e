package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.uring.files.Descriptors;

/**
 * The division of an executor's memory.
 *
 * @param workers number of threads
 * @param readMemoryBytes memory that each worker reads into
 * @param workspaceBytes memory that each worker decodes in; a chunk that needs more reserves it
 * @param largeBytesMax memory that all reads and chunks that need more than a worker has share
 * @param indexBytesMax memory that the cache of shard indexes may take
 * @param resultBytesMax memory of closed results that is kept for later results
 * @param readsInFlight the largest number of reads that one worker has at once
 * @param fusedBytesMax the longest stretch of several inner chunks, in bytes
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
     * The bytes that up to 16 workers together have in flight from a disk. With 8 MiB or more a
     * disk delivers less, and each worker exceeds its share by one read
     * (docs/decisions/landing-memory.md).
     */
    private static final long IN_FLIGHT_BYTES_MAX = 6L << 20;

    /** A worker begins a second of the longest stretches while the first is decoded. */
    private static final long WINDOW_BYTES_MIN = 384 << 10;

    private static final long READ_BYTES_MAX = 16L << 20;

    /** Larger chunks reserve memory: getting its pages costs as much as decoding them. */
    private static final long WORKSPACE_BYTES_MAX = 64L << 20;

    /** Reads that keep a disk busy; more reads only add latency. */
    private static final int READS_IN_FLIGHT_MAX = 128;

    private static final int READS_IN_FLIGHT_MIN = 4;

    /** Longer reads are no cheaper for each byte. */
    private static final long FUSED_BYTES_MAX = 256 << 10;

    /** {@return the smallest budget that leaves memory for large chunks, in bytes} */
    private static long bytesMin(int workers) {
        long ofWorkers = workers * (WORKER_BYTES_MIN + WORKER_BYTES_MIN / 2L);
        long bytes = Math.max(BUDGET_BYTES_MIN, ofWorkers / 7 * 8);
        while (bytes - bytes / 8 <= ofWorkers) {
            bytes++;
        }
        return bytes;
    }

    /**
     * {@return the division of one budget} The workers get up to an eighth to read into, and up to
     * an eighth to decode in. Indexes get an eighth. Results get an eighth of the rest. Large reads
     * and chunks share what is left. Read memory is enlarged if each worker then gets a huge page.
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

    /** {@return the reads of one worker at once, if all workers may hold so many open files} */
    static int readsInFlight(int workers, int files) {
        return Math.clamp(files / workers, READS_IN_FLIGHT_MIN, READS_IN_FLIGHT_MAX);
    }

    /** {@return the budget that was divided, in bytes} */
    public long budgetBytes() {
        return workers * (readMemoryBytes + workspaceBytes)
                + largeBytesMax
                + indexBytesMax
                + resultBytesMax;
    }

    /**
     * {@return the share in whole huge pages, at least one, unless that doubles it} The kernel
     * splits a read to pages of 4 KiB into pieces, which fill a drive's queue
     * (docs/decisions/landing-memory.md).
     */
    private static long wholeHugePages(long share) {
        long huge = NativeMemory.HUGE_PAGE_BYTES;
        return 2 * share < huge ? share : Math.max(huge, share & -huge);
    }

    /** {@return the largest {@link ReadWindow} of a worker, in bytes} */
    long windowBytesMax() {
        return Math.clamp(IN_FLIGHT_BYTES_MAX / workers, WINDOW_BYTES_MIN, readMemoryBytes);
    }

    /**
     * {@return how many calling threads may read at once: as many as there are workers, or more if
     * all of them take at most an eighth of the memory for large chunks} Further callers leave
     * their requests to the workers.
     *
     * @param callerBytes memory that each calling thread takes
     */
    int callersMax(long callerBytes) {
        long more = largeBytesMax / 8 / callerBytes;
        return Math.clamp(more, workers, Integer.MAX_VALUE);
    }

    /** {@return bytes of heap that the plan of one request may take: as many as indexes} */
    public long planBytesMax() {
        return Math.min(indexBytesMax, Runtime.getRuntime().maxMemory() / 8);
    }

    /**
     * {@return these options with another choice for checksums}
     *
     * @param newVerifiesChecksums whether the checksums of chunks are compared
     */
    public ExecutorOptions verifyingChecksums(boolean newVerifiesChecksums) {
        return with(newVerifiesChecksums, keptChunkBytesMax);
    }

    /**
     * {@return these options with other memory for kept chunks}
     *
     * @param newKeptChunkBytesMax memory for decoded chunks that are kept; 0 keeps none
     */
    public ExecutorOptions keepingChunks(long newKeptChunkBytesMax) {
        return with(verifiesChecksums, newKeptChunkBytesMax);
    }

    private ExecutorOptions with(boolean newVerifiesChecksums, long newKeptChunkBytesMax) {
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
                newKeptChunkBytesMax);
    }
}
