package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadBackend;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * The runners that calling threads borrow, {@link ExecutorOptions#callersMax} at once. Threads:
 * any.
 */
final class CallerRunnerPool implements AutoCloseable {
    private final Executor executor;
    private final ReadBackend backend;
    private final int runnersMax;
    private final Semaphore lendable;
    private final ConcurrentLinkedQueue<CallerRunner> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private volatile boolean isMissed; // a worker needs the memory of the runners

    /** Creates a pool without runners. {@code backend}: null if callers must not read. */
    CallerRunnerPool(Executor executor, ReadBackend backend, int runnersMax) {
        this.executor = executor;
        this.backend = backend;
        this.runnersMax = backend == null ? 0 : runnersMax;
        this.lendable = new Semaphore(this.runnersMax);
    }

    /** {@return a runner for the calling thread until it gives it back; null if there is none} */
    CallerRunner tryBorrow() {
        if (!lendable.tryAcquire()) {
            return null;
        }
        CallerRunner runner = null;
        try {
            runner = idle.poll();
            if (runner == null) {
                runner = tryCreate();
            }
        } finally {
            if (runner == null) {
                lendable.release();
            }
        }
        return runner;
    }

    private CallerRunner tryCreate() {
        if (!executor.budget().tryReserve(CallerRunner.BUDGET_BYTES)) {
            return null;
        }
        try {
            return new CallerRunner(executor, backend);
        } catch (RuntimeException | Error e) {
            executor.budget().release(CallerRunner.BUDGET_BYTES);
            throw e;
        }
    }

    /** Ends what {@link #tryBorrow} began. */
    void giveBack(CallerRunner runner) {
        try {
            idle.add(runner);
        } finally {
            lendable.release();
        }
        if (closed || isMissed) { // Asked after it was added, which may have been the last one.
            isMissed = false;
            freeIdle();
        }
    }

    /**
     * Gives the memory of runners to a worker that has too little: that of idle runners now, that
     * of others when they are given back. Then the budget wakes the worker.
     *
     * @return whether idle runners were freed now
     */
    boolean freeForOthers() {
        isMissed = true;
        boolean hasIdle = !idle.isEmpty();
        freeIdle();
        return hasIdle;
    }

    /** Frees the runners when all of them were given back. */
    @Override
    public void close() {
        closed = true;
        awaitAll();
        freeIdle();
    }

    /** Waits until all runners were given back. They wait for nothing. */
    void awaitAll() {
        lendable.acquireUninterruptibly(runnersMax);
        lendable.release(runnersMax);
    }

    private void freeIdle() {
        for (CallerRunner runner = idle.poll(); runner != null; runner = idle.poll()) {
            runner.close();
            executor.budget().release(CallerRunner.BUDGET_BYTES);
        }
    }
}
