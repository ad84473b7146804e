package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.errors.EngineFailedException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The thread that ends all reads of an engine that has failed as a whole. It sleeps until then. To
 * make the engine fail takes no memory, and this thread tries again until there is memory to end
 * the reads.
 *
 * <p>Owner: the executor. Threads: {@link #fail}, {@link #look} and {@link #failure} any.
 */
final class FailureThread implements AutoCloseable {
    private static final long RETRY_NANOS = 10_000_000;

    /** Attempts after the executor was closed: closing takes a second longer at most. */
    private static final int LAST_ATTEMPTS = 100;

    private final EngineFailedException heapIsFull =
            new EngineFailedException(
                    "the engine has failed", new OutOfMemoryError("Java's heap is full"));
    private final BooleanSupplier endAll;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("zarr-engine-failure").unstarted(this::run);
    private volatile EngineFailedException failure; // written under this; null: none
    private volatile boolean isClosed;

    /** {@code endAll}: ends reads; false if some are left. */
    FailureThread(BooleanSupplier endAll) {
        this.endAll = endAll;
    }

    void start() {
        thread.start();
    }

    /** {@return what the engine has failed with; null if it works} */
    EngineFailedException failure() {
        return failure;
    }

    /** {@return the exception for a full heap, made beforehand} */
    EngineFailedException heapIsFull() {
        return heapIsFull;
    }

    /** Makes the engine fail, unless it has failed before. Takes no memory. */
    synchronized void fail(EngineFailedException cause) {
        if (failure == null) {
            failure = cause;
        }
        look();
    }

    /** Wakes the thread, if the engine has failed: there may be another read to end. */
    void look() {
        LockSupport.unpark(thread);
    }

    private void run() {
        int attempts = 0;
        while (true) {
            boolean isDone = failure == null || tryEndAll();
            if (isClosed && (isDone || ++attempts == LAST_ATTEMPTS)) {
                return;
            }
            if (isDone) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    private boolean tryEndAll() {
        try {
            return endAll.getAsBoolean();
        } catch (RuntimeException | Error e) { // No memory, or a class that cannot be linked now.
            return false;
        }
    }

    /** Ends the thread, when all reads have ended. The workers' threads have ended before. */
    @Override
    public void close() {
        isClosed = true;
        look();
        Executor.join(thread);
    }
}
