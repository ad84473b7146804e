package io.zarrengine.uring.ranges;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * A queue that fails reads and dies. Fault model, in {@link Faults}: before each wait it may throw
 * an error, like a bug, or an exception, like a broken ring; and it may change the result of a
 * read.
 */
final class FaultyQueue implements ReadQueue {
    /** The faults of a queue. */
    interface Faults {
        /**
         * Called before submitting and waiting.
         *
         * @param reads reads queued since the queue was made
         */
        void beforeWait(long reads) throws IOException;

        /** {@return the result to report for an ended read} */
        default long result(long result) {
            return result;
        }
    }

    /** Faults with given probabilities, from a seed. */
    record RandomFaults(SplittableRandom random, double errorRate, double deathRate)
            implements Faults {
        @Override
        public void beforeWait(long reads) throws IOException {
            if (random.nextDouble() < deathRate) {
                if (random.nextBoolean()) {
                    throw new AssertionError("injected");
                }
                throw new IOException("injected");
            }
        }

        @Override
        public long result(long result) {
            return random.nextDouble() < errorRate ? -Errno.EIO : result;
        }
    }

    /**
     * Dies at the first wait after {@code readsMax} reads were queued; then one of them is in
     * flight.
     */
    record DeathAfter(long readsMax) implements Faults {
        @Override
        public void beforeWait(long reads) {
            if (reads >= readsMax) {
                throw new AssertionError("injected");
            }
        }
    }

    private final ReadQueue queue;
    private final Faults faults;
    private long reads;

    FaultyQueue(ReadQueue queue, Faults faults) {
        this.queue = queue;
        this.faults = faults;
    }

    @Override
    public int poll(ReadListener listener) throws IOException {
        faults.beforeWait(reads);
        return queue.poll(failing(listener));
    }

    @Override
    public int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException {
        faults.beforeWait(reads);
        return queue.await(failing(listener), nothingToDo);
    }

    private ReadListener failing(ReadListener listener) {
        return (token, result) -> listener.completed(token, faults.result(result));
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int inFlight() {
        return queue.inFlight();
    }

    @Override
    public int attach(FileHandle file) {
        return queue.attach(file);
    }

    @Override
    public void detach(int fileNumber) {
        queue.detach(fileNumber);
    }

    @Override
    public int attachedMax() {
        return queue.attachedMax();
    }

    @Override
    public void read(
            int fileNumber,
            long fileOffset,
            MemorySegment memory,
            long memoryOffset,
            long bytes,
            int token) {
        reads++;
        queue.read(fileNumber, fileOffset, memory, memoryOffset, bytes, token);
    }

    @Override
    public void readScattered(
            int fileNumber, long fileOffset, List<MemorySegment> pieces, int token) {
        reads++;
        queue.readScattered(fileNumber, fileOffset, pieces, token);
    }

    @Override
    public void wake() {
        queue.wake();
    }

    @Override
    public boolean drain(Duration limit) {
        return queue.drain(limit);
    }

    @Override
    public ReadCounters counters() {
        return queue.counters();
    }

    @Override
    public void close() {
        queue.close();
    }
}
