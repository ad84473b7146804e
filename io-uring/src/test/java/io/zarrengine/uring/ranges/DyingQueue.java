package io.zarrengine.uring.ranges;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.ReadCounters;
import io.zarrengine.uring.ReadListener;
import io.zarrengine.uring.ReadQueue;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A queue that works for a while; then waiting for it throws, as a bug or a broken ring would. */
final class DyingQueue implements ReadQueue {
    private final ReadQueue queue;
    private int turnsLeft;

    DyingQueue(ReadQueue queue, int turns) {
        this.queue = queue;
        this.turnsLeft = turns;
    }

    private void live() {
        if (turnsLeft-- == 0) {
            throw new AssertionError("injected");
        }
    }

    @Override
    public int poll(ReadListener listener) throws IOException {
        live();
        return queue.poll(listener);
    }

    @Override
    public int await(ReadListener listener, BooleanSupplier nothingToDo) throws IOException {
        live();
        return queue.await(listener, nothingToDo);
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
