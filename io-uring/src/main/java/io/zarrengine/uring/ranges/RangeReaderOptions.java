package io.zarrengine.uring.ranges;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.files.FileCache;
import io.zarrengine.uring.plan.FuseRule;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits of a {@link RangeReader}. Memory is {@code threads * bufferBytes} and reads in flight are
 * {@code threads * readsInFlight}. A call for more than {@code batchesMax} batches at once waits.
 *
 * @param threads platform threads that read and copy, {@code > 0}
 * @param readsInFlight reads of one thread at once, 1 to 4096. A disk is busy with 64 to 128 reads
 *     of all threads; more only adds latency
 * @param bufferBytes read memory of one thread; at least four of the longest reads
 * @param batchesMax batches in progress at once, {@code > 0}
 * @param filesMax files kept open, {@code > 0}
 * @param recheckAfter longest age of a file's last check; see {@link FileCache}
 * @param caching through the page cache or around it
 * @param fuse when to fuse and to cut; empty: the default rule of {@code caching}
 */
public record RangeReaderOptions(
        int threads,
        int readsInFlight,
        long bufferBytes,
        int batchesMax,
        int filesMax,
        Duration recheckAfter,
        Caching caching,
        Optional<FuseRule> fuse) {
    private static final int READS_IN_FLIGHT = 128;
    private static final long BUFFER_BYTES = 16 << 20;
    private static final int BATCHES_MAX = 1024;

    /** A replaced file is noticed after a second. */
    private static final Duration RECHECK_AFTER = Duration.ofSeconds(1);

    /** Checks the numbers. The queue and the cache check their own. */
    public RangeReaderOptions {
        if (threads < 1 || batchesMax < 1) {
            throw new IllegalArgumentException(threads + " threads, " + batchesMax + " batches");
        }
        long longest = rule(fuse, caching).readBytesMax() + 2L * FileHandle.ALIGNMENT_MAX;
        if (bufferBytes < 4 * longest || bufferBytes > 1L << 30) {
            throw new IllegalArgumentException(
                    bufferBytes + " bytes of buffer: needs " + 4 * longest + ", at most 1 GiB");
        }
    }

    /** {@return a thread for each core, 16 MiB for each thread, buffered files} */
    public static RangeReaderOptions defaults() {
        return new RangeReaderOptions(
                Runtime.getRuntime().availableProcessors(),
                READS_IN_FLIGHT,
                BUFFER_BYTES,
                BATCHES_MAX,
                FileCache.FILES_MAX,
                RECHECK_AFTER,
                Caching.BUFFERED,
                Optional.empty());
    }

    /**
     * {@return these options with another caching}
     *
     * @param other the way in which files are opened
     */
    public RangeReaderOptions withCaching(Caching other) {
        return with(threads, other, fuse);
    }

    /**
     * {@return these options with another number of threads}
     *
     * @param other {@code > 0}
     */
    public RangeReaderOptions withThreads(int other) {
        return with(other, caching, fuse);
    }

    /**
     * {@return these options with another rule}
     *
     * @param rule when to fuse and to cut
     */
    public RangeReaderOptions withFuse(FuseRule rule) {
        return with(threads, caching, Optional.of(rule));
    }

    private RangeReaderOptions with(
            int newThreads, Caching newCaching, Optional<FuseRule> newFuse) {
        return new RangeReaderOptions(
                newThreads,
                readsInFlight,
                bufferBytes,
                batchesMax,
                filesMax,
                recheckAfter,
                newCaching,
                newFuse);
    }

    FuseRule rule() {
        return rule(fuse, caching);
    }

    private static FuseRule rule(Optional<FuseRule> fuse, Caching caching) {
        boolean buffered = caching == Caching.BUFFERED || caching == Caching.BUFFERED_ONCE;
        return fuse.orElse(buffered ? FuseRule.BUFFERED : FuseRule.DIRECT);
    }
}
