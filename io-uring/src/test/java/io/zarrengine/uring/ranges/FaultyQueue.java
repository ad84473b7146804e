package io.zarrengine.uring.ranges;

import io.zarrengine.bindings.Errno;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * A queue that fails reads and dies, from a seed. Fault model: with probability {@code errorRate} a
 * read that ended is reported as EIO; with probability {@code deathRate} a wait throws an error, as
 * a bug would, or an exception, as a broken ring.
 */
final class FaultyQueue implements ReadQueue {
    private final ReadQueue queue;
    private final SplittableRandom random;
    private final double errorRate;
    private final double deathRate;

    FaultyQueue(ReadQueue queue, SplittableRandom random, double errorRate, double deathRate) {
        this.queue = queue;
        this.random = random;
        this.errorRate = errorRate;
        this.deathRate = deathRate;
    }

    @Override
    public int poll(ReadListener listener) throws IOException {
        mayDie();
        return queue.poll(failing(listener));
    }

    @Override
    public int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException {
        mayDie();
        return queue.await(failing(listener), nothingToDo);
    }

    private void mayDie() throws IOException {
        if (random.nextDouble() < deathRate) {
            if (random.nextBoolean()) {
                throw new AssertionError("injected");
            }
            throw new IOException("injected");
        }
    }

    private ReadListener failing(ReadListener listener) {
        return (token, result) ->
                listener.completed(token, random.nextDouble() < errorRate ? -Errno.EIO : result);
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
        queue.read(fileNumber, fileOffset, memory, memoryOffset, bytes, token);
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
