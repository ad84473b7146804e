package io.zarrengine.uring.reading;

import java.util.concurrent.Executor;

/**
 * Starts threads that complete the future of a read, until one of them has: a full heap may refuse
 * a thread, or lose one that was started without a word. Threads: any.
 */
public final class CompletionAttempts {
    /**
     * A thread that has not completed the future after this time counts as lost. Each time it is
     * doubled, because the thread may only wait for its turn.
     */
    private static final long LOST_NANOS = 1_000_000_000;

    private final Executor starter;
    private volatile boolean isStarted; // whether a thread is about to complete the future
    private volatile long startNanos; // when it was started
    private volatile long lostNanos; // the time after which it counts as lost

    /** Prepares attempts on threads of {@link CompletionThread}. */
    public CompletionAttempts() {
        this(CompletionThread::start);
    }

    /** {@code starter} starts the first thread. */
    CompletionAttempts(Executor starter) {
        this.starter = starter;
    }

    /**
     * Starts a thread, unless one may be about to complete the future.
     *
     * @param completion what it runs
     * @throws OutOfMemoryError if there is no memory for a thread
     */
    public void next(Runnable completion) {
        long patience = lostNanos;
        if (!isStarted) {
            start(completion);
        } else if (System.nanoTime() - startNanos > patience
                && CompletionThread.tryAgain(completion)) {
            lostNanos = 2 * patience;
            startNanos = System.nanoTime();
        }
    }

    private void start(Runnable completion) {
        lostNanos = LOST_NANOS;
        startNanos = System.nanoTime();
        isStarted = true; // Before: the thread may fail at once, and says so here.
        try {
            starter.execute(completion);
        } catch (RuntimeException | Error e) {
            isStarted = false;
            throw e;
        }
    }

    /** Notes that a thread could not complete the future, and that another one has to. */
    public void failed() {
        isStarted = false;
    }
}
