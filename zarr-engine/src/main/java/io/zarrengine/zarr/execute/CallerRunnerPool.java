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
    private volatile boolean isMissed; // what the runners have of the budget, by a worker

    /** Has no runner yet; {@code backend} is null if there shall be none. */
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
            if (runner == null) { // also if it throws: close waits for all permits
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
     * Gives the memory of runners to a worker that has too little: of idle ones now, of others when
     * they are given back, and then the budget wakes the worker.
     *
     * @return whether it has more now, perhaps
     */
    boolean freeForOthers() {
        isMissed = true;
        boolean hasIdle = !idle.isEmpty();
        freeIdle();
        return hasIdle;
    }

    /** Frees the runners, when nobody uses one any more: none of them waits for anything. */
    @Override
    public void close() {
        closed = true;
        lendable.acquireUninterruptibly(runnersMax);
        lendable.release(runnersMax);
        freeIdle();
    }

    private void freeIdle() {
        for (CallerRunner runner = idle.poll(); runner != null; runner = idle.poll()) {
            runner.close();
            executor.budget().release(CallerRunner.BUDGET_BYTES);
        }
    }
}
