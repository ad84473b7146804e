package io.zarrengine.zarr.execute;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Tells callers of reads that ended when there was no memory to tell them, and wakes workers that
 * could not be woken for the same reason: tries again, until there is. It takes none itself.
 *
 * <p>Owner: the executor, on a thread that sleeps otherwise. Threads: {@link #add}, {@link
 * #wakeLater} and {@link #close} any.
 */
final class Teller implements Runnable, AutoCloseable {
    private static final long RETRY_NANOS = 10_000_000;

    /** After the executor was closed: then who waits looks himself. */
    private static final int LAST_ATTEMPTS = 100;

    private final BooleanSupplier wakeUp;
    private ReadRequest first; // guarded by this, as the list that begins there
    private volatile boolean mustWake;
    private volatile boolean isClosed;
    private volatile Thread thread;

    /** {@code wakeUp}: wakes the workers; false if there is no memory for that yet. */
    Teller(BooleanSupplier wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Puts a request on the list, unless it is there. Never throws. */
    void add(ReadRequest request) {
        synchronized (this) {
            if (request.isListed) {
                return;
            }
            request.isListed = true;
            request.nextUntold = first;
            first = request;
        }
        LockSupport.unpark(thread);
    }

    /** Has all workers woken. Never throws. */
    void wakeLater() {
        mustWake = true;
        LockSupport.unpark(thread);
    }

    private synchronized ReadRequest take() {
        ReadRequest taken = first;
        if (taken != null) {
            first = taken.nextUntold;
            taken.nextUntold = null;
            taken.isListed = false;
        }
        return taken;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        int attempts = 0;
        while (!isClosed || attempts < LAST_ATTEMPTS) {
            ReadRequest request = take();
            boolean areWoken = wakeIfMust();
            boolean isTold = request == null || tell(request);
            if (!areWoken || !isTold) {
                attempts = isClosed ? attempts + 1 : 0;
                LockSupport.parkNanos(this, RETRY_NANOS);
            } else if (request == null && isClosed) {
                return;
            } else if (request == null) {
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
    private boolean tell(ReadRequest request) {
        try {
            request.tellAgain();
            return true;
        } catch (OutOfMemoryError e) {
            add(request);
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
