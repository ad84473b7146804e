package io.zarrengine.gpu.batch;

import java.util.concurrent.locks.LockSupport;

/** Puts the device thread to sleep and wakes it. Threads: any; to sleep, the device's. */
public final class ThreadWaker {
    private volatile Thread thread;
    private volatile boolean naps;

    /** Registers the calling thread as the device thread. */
    void attach() {
        thread = Thread.currentThread();
    }

    /** Wakes the device thread. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /**
     * Wakes the device thread for a full slot, unless it naps: the slot can wait while the device
     * has enough work.
     */
    public void wakeForSlot() {
        if (!naps) {
            wake();
        }
    }

    /** Sleeps without being woken by slots. */
    void nap(long nanos) {
        naps = true;
        LockSupport.parkNanos(nanos);
        naps = false;
    }
}
