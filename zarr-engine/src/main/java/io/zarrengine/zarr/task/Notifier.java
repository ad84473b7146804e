package io.zarrengine.zarr.task;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Notifies callers of reads that ended when there was no memory to notify them, and wakes workers
 * that could not be woken for the same reason. It tries again until it succeeds, and allocates
 * nothing itself.
 *
 * <p>Owner: the executor, on a thread that sleeps otherwise. Threads: {@link #add}, {@link
 * #wakeLater} and {@link #close} any.
 */
public final class Notifier implements Runnable, AutoCloseable {
    private static final long RETRY_NANOS = 10_000_000;

    /**
     * The number of attempts after the executor was closed. Waiting callers then look themselves.
     */
    private static final int LAST_ATTEMPTS = 100;

    /** A read whose callers may not know yet that it has ended. */
    abstract static class Pending {
        private Pending next; // this and the next: guarded by the notifier
        private boolean isListed;

        /**
         * Notifies them, if they are not notified yet.
         *
         * @throws OutOfMemoryError if there is no memory for that yet
         */
        public abstract void tellAgain();
    }

    private final BooleanSupplier wakeUp;
    private Pending first; // guarded by this, as the list that begins there
    private volatile boolean mustWake;
    private volatile boolean isClosed;
    private volatile Thread thread;

    /** {@code wakeUp}: wakes the workers; false if there is no memory for that yet. */
    public Notifier(BooleanSupplier wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Puts a request on the list, unless it is there. Never throws. */
    void add(Pending read) {
        synchronized (this) {
            if (read.isListed) {
                return;
            }
            read.isListed = true;
            read.next = first;
            first = read;
        }
        LockSupport.unpark(thread);
    }

    /** Requests that all workers are woken. Never throws. */
    public void wakeLater() {
        mustWake = true;
        LockSupport.unpark(thread);
    }

    private synchronized Pending take() {
        Pending taken = first;
        if (taken != null) {
            first = taken.next;
            taken.next = null;
            taken.isListed = false;
        }
        return taken;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        int attempts = 0;
        while (!isClosed || attempts < LAST_ATTEMPTS) {
            Pending read = take();
            boolean areWoken = wakeIfMust();
            boolean isTold = read == null || tell(read);
            if (!areWoken || !isTold) {
                attempts = isClosed ? attempts + 1 : 0;
                LockSupport.parkNanos(this, RETRY_NANOS);
            } else if (read == null && isClosed) {
                return;
            } else if (read == null) {
                LockSupport.park(this);
            }
        }
    }

    /** Returns false if there is no memory yet; then it must be done again. */
    private boolean wakeIfMust() {
        if (!mustWake) {
            return true;
        }
        boolean areWoken = false;
        try {
            mustWake = false; // Before: who asks meanwhile is heard.
            areWoken = wakeUp.getAsBoolean();
        } catch (RuntimeException | Error e) { // No memory, in whatever words.
        }
        if (!areWoken) {
            mustWake = true;
        }
        return areWoken;
    }

    /** Returns false if there is no memory yet; then the read is on the list again. */
    private boolean tell(Pending read) {
        try {
            read.tellAgain();
            return true;
        } catch (RuntimeException | Error e) { // No memory, in whatever words.
            add(read);
            return false;
        }
    }

    /** Ends the thread when all callers are notified, or after the last attempt. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
