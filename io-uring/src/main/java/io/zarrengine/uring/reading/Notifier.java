package io.zarrengine.uring.reading;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Notifies callers of reads that may not know of the end, because there was no memory to notify
 * them or a full heap may have lost the thread that does, and wakes workers that could not be woken
 * for the same reason. It tries again until it succeeds, and allocates nothing itself.
 *
 * <p>Owner: the executor, or {@link SureCompletion}, on a thread that sleeps otherwise. Threads:
 * {@link #add}, {@link #wakeLater} and {@link #close} any.
 */
public final class Notifier implements Runnable, AutoCloseable {
    private static final long RETRY_NANOS = 10_000_000;

    /** The number of rounds after the executor was closed. Waiting callers then look themselves. */
    private static final int LAST_ROUNDS = 100;

    /** A read whose callers may not know yet that it has ended. */
    public abstract static class Pending {
        private Pending next; // this and the next: guarded by the notifier
        private boolean isListed;

        /** Creates one that is on no list. */
        protected Pending() {}

        /**
         * Notifies them, unless that was done before.
         *
         * @return whether it was done before; if not, this must be called again
         * @throws OutOfMemoryError if there is no memory for that yet
         */
        public abstract boolean tellAgain();
    }

    private final BooleanSupplier wakeUp;
    private Pending later; // guarded by this, as the list that begins there and the next one
    private Pending round;
    private volatile boolean mustWake;
    private volatile boolean isClosed;
    private volatile Thread thread;

    /**
     * Creates a notifier, which a thread has to run.
     *
     * @param wakeUp wakes the workers; false if there is no memory for that yet
     */
    public Notifier(BooleanSupplier wakeUp) {
        this.wakeUp = wakeUp;
    }

    /**
     * Puts a read on the list, unless it is there. Never throws.
     *
     * @param read is notified until it says that this was done before
     */
    public void add(Pending read) {
        boolean mustUnpark;
        synchronized (this) {
            if (read.isListed) {
                return;
            }
            mustUnpark = later == null;
            read.isListed = true;
            read.next = later;
            later = read;
        }
        if (mustUnpark) {
            LockSupport.unpark(thread);
        }
    }

    /** Requests that all workers are woken. Never throws. */
    public void wakeLater() {
        mustWake = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        int lastRounds = 0;
        while (lastRounds < LAST_ROUNDS) {
            if (hasWork()) {
                pause();
                tellAll();
            } else if (isClosed) {
                return;
            } else {
                LockSupport.park(this);
            }
            lastRounds += isClosed ? 1 : 0;
        }
    }

    /** Not shorter if somebody unparks the thread, as a read does that it adds itself. */
    private void pause() {
        long begin = System.nanoTime();
        for (long left = RETRY_NANOS; left > 0; left = RETRY_NANOS - (System.nanoTime() - begin)) {
            LockSupport.parkNanos(this, left);
        }
    }

    private synchronized boolean hasWork() {
        return mustWake || later != null;
    }

    private void tellAll() {
        wakeIfMust();
        synchronized (this) {
            round = later;
            later = null;
        }
        for (Pending read = take(); read != null; read = take()) {
            if (!tell(read)) {
                add(read);
            }
        }
    }

    private synchronized Pending take() {
        Pending taken = round;
        if (taken != null) {
            round = taken.next;
            taken.next = null;
            taken.isListed = false;
        }
        return taken;
    }

    private void wakeIfMust() {
        if (!mustWake) {
            return;
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
    }

    /** Returns whether a read needs no further attempt. */
    private static boolean tell(Pending read) {
        try {
            return read.tellAgain();
        } catch (RuntimeException | Error e) { // No memory, in whatever words.
            return false;
        }
    }

    /** Ends the thread when all callers are notified, or after the last round. */
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
