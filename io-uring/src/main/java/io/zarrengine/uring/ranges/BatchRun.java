package io.zarrengine.uring.ranges;

import io.zarrengine.uring.reading.ReadFuture;
import io.zarrengine.uring.reading.SureCompletion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A batch that is being read. Its reads are divided evenly among the workers, so that they work on
 * different files; a worker that has finished its share takes reads from the others.
 *
 * <p>Threads: any. It ends once each of its reads was done or skipped. Then no thread writes to the
 * target any more.
 */
final class BatchRun {
    /** Reads taken at once: few enough to share a small batch, enough to keep the cost low. */
    private static final int PACKET = 16;

    private final ReadBatch batch;
    private final AtomicIntegerArray next; // the first read of each share that no worker has taken
    private final AtomicInteger left;
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ReadFuture<BatchReport> future = new ReadFuture<>(this::fail);
    private final Runnable whenEnded;
    // On another thread, because the caller's actions on the future must not block a worker.
    private final SureCompletion completion = new SureCompletion(this::complete);
    private BatchReport report; // null until it completes

    BatchRun(ReadBatch batch, int shares, Runnable whenEnded) {
        this.batch = batch;
        this.whenEnded = whenEnded;
        left = new AtomicInteger(batch.plan().readCount());
        next = new AtomicIntegerArray(shares);
        for (int share = 0; share < shares; share++) {
            next.set(share, begin(share));
        }
    }

    private int begin(int share) {
        return (int) ((long) batch.plan().readCount() * share / next.length());
    }

    ReadBatch batch() {
        return batch;
    }

    CompletableFuture<BatchReport> future() {
        return future;
    }

    /** {@return the first of at most 16 reads that the caller now owns, or -1 if none is left} */
    int take(int worker) {
        for (int i = 0; i < next.length(); i++) {
            int share = (worker + i) % next.length();
            int end = begin(share + 1);
            if (next.get(share) < end) {
                int first = next.getAndAdd(share, PACKET);
                if (first < end) {
                    return first;
                }
            }
        }
        return -1;
    }

    /** {@return the end of the packet that begins with read {@code first}} */
    int packetEnd(int first) {
        int share = next.length() - 1;
        while (begin(share) > first) {
            share--;
        }
        return Math.min(first + PACKET, begin(share + 1));
    }

    boolean hasReads() {
        for (int share = 0; share < next.length(); share++) {
            if (next.get(share) < begin(share + 1)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Records a failure. The first one counts; the batch ends when its reads in flight have ended.
     */
    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Records that {@code reads} were done or skipped. */
    void ended(int reads, long bytes) {
        readBytes.addAndGet(bytes);
        if (left.addAndGet(-reads) == 0) {
            end();
        }
    }

    /** Skips the reads that no worker has taken. */
    void leaveOutTheRest() {
        int first;
        while ((first = take(0)) >= 0) {
            ended(packetEnd(first) - first, 0);
        }
    }

    /** Ends a batch that has no reads. */
    void endEmpty() {
        end();
    }

    private void end() {
        try {
            whenEnded.run();
        } finally {
            completion.start();
        }
    }

    /** Completes the future; called again if there was no memory for that. */
    private void complete() {
        if (report == null) {
            report =
                    new BatchReport(
                            batch.size(),
                            batch.plan().readCount(),
                            batch.plan().wantedBytes(),
                            readBytes.get());
            batch.end(); // Once: its owner may read it again when the future has completed.
        }
        future.end(() -> report, failure.get());
    }
}
