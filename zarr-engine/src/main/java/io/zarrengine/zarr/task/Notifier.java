package io.zarrengine.zarr.task;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Tells callers of reads that ended when there was no memory to tell them, and wakes workers that
 * could not be woken for the same reason: tries again, until there is. It takes none itself.
 *
 * <p>Owner: the executor, on a thread that sleeps otherwise. Threads: {@link #add}, {@link
 * #wakeLater} and {@link #close} any.
 */
public final class Notifier implements Runnable, AutoCloseable {
    private static final long RETRY_NANOS = 10_000_000;

    /** After the executor was closed: then who waits looks himself. */
    private static final int LAST_ATTEMPTS = 100;

    /** A read whose callers may not know yet that it has ended. */
    abstract static class Pending {
        private Pending next; // this and the next: guarded by the notifier
        private boolean isListed;

        /**
         * Tells them, if there is anything to tell.
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

    /** Has all workers woken. Never throws. */
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

    /** False, and it is to be done again, if there is no memory yet. */
    private boolean wakeIfMust() {
        if (!mustWake) {
            return true;
        }
        boolean areWoken = false;
        try {
            mustWake = false; // Before: who asks meanwhile is heard.
            areWoken = wakeUp.getAsBoolean();
        } catch (RuntimeException | Error e) { // No memory either, said by others in other words.
        }
        if (!areWoken) {
            mustWake = true;
        }
        return areWoken;
    }

    /** False, and it is on the list again, if there is no memory yet. */
    private boolean tell(Pending read) {
        try {
            read.tellAgain();
            return true;
        } catch (OutOfMemoryError e) {
            add(read);
            return false;
        }
    }

    /** Has the thread end when everybody was told, or cannot be. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
