package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadBackend;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * The runners that calling threads borrow. At most {@link ExecutorOptions#callersMax} are borrowed
 * at once.
 *
 * <p>Owner: the {@link Executor}. Threads: any.
 */
final class CallerRunnerPool implements AutoCloseable {
    private final Executor executor;
    private final ReadBackend backend;
    private final int runnersMax;
    private final Semaphore lendable;
    private final ConcurrentLinkedQueue<CallerRunner> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private volatile boolean isMissed; // a worker waits for the budget that the runners hold

    /** Creates a pool without runners; it never gets one if {@code backend} is null. */
    CallerRunnerPool(Executor executor, ReadBackend backend, int runnersMax) {
        this.executor = executor;
        this.backend = backend;
        this.runnersMax = backend == null ? 0 : runnersMax;
        this.lendable = new Semaphore(this.runnersMax);
    }

    /**
     * {@return a runner, which the calling thread gives back with {@link #giveBack}; null if none
     * is free}
     */
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
            if (runner == null) { // Also after an exception: close() waits for all permits.
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

    /** Takes back a runner of {@link #tryBorrow}. */
    void giveBack(CallerRunner runner) {
        try {
            idle.add(runner);
        } finally {
            lendable.release();
        }
        if (closed || isMissed) { // Looks after add(): no later call may free this runner.
            isMissed = false;
            freeIdle();
        }
    }

    /**
     * Frees runners for a worker that waits for the budget. Idle runners are freed now, borrowed
     * ones when they are given back; the budget then wakes the worker.
     *
     * @return whether runners were idle, so that the budget may have more now
     */
    boolean freeForOthers() {
        isMissed = true;
        boolean hasIdle = !idle.isEmpty();
        freeIdle();
        return hasIdle;
    }

    /** Waits until all runners are given back, which is soon, and frees them. */
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
