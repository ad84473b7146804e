package io.zarrengine.uring.ranges;

import io.zarrengine.uring.reading.ReadFuture;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A batch that is being read. Its reads are divided evenly among the workers, so that they work on
 * different files; who has done its share takes from the others.
 *
 * <p>Threads: any. It ends when each of its reads was done or left out, and not before: then nobody
 * writes to the target any more.
 */
final class BatchRun {
    /** Reads taken at once: few enough to share a small batch, many enough to be cheap. */
    private static final int PACKET = 16;

    private final ReadBatch batch;
    private final AtomicIntegerArray next; // the first read of each share that nobody has taken
    private final AtomicInteger left;
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final ReadFuture<BatchReport> future = new ReadFuture<>(this::fail);
    private final Runnable whenEnded;

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

    /** {@return the first of at most 16 reads that are now the caller's, or -1 if none is left} */
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

    /** {@return behind the last read of the packet that begins with {@code first}} */
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

    /** The first failure counts; the batch ends when what is in flight has ended. */
    void fail(Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    boolean hasFailed() {
        return failure.get() != null;
    }

    /** Notes that {@code reads} were done or left out. */
    void ended(int reads, long bytes) {
        readBytes.addAndGet(bytes);
        if (left.addAndGet(-reads) == 0) {
            end();
        }
    }

    /** Leaves out the reads that nobody has taken. */
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
        BatchReport report =
                new BatchReport(
                        batch.size(),
                        batch.plan().readCount(),
                        batch.plan().wantedBytes(),
                        readBytes.get());
        batch.end();
        whenEnded.run();
        // On a thread of its own: what a caller hangs on the future must not stop a worker.
        Thread.startVirtualThread(() -> future.end(() -> report, failure.get()));
    }
}
