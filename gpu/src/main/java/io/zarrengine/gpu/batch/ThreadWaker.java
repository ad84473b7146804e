package io.zarrengine.gpu.batch;

import java.util.concurrent.locks.LockSupport;

/** Sleep of the device's thread, and what ends it. Threads: any; to sleep, the device's. */
public final class ThreadWaker {
    private volatile Thread thread;
    private volatile boolean naps;

    /** The calling thread is the device's. */
    void attach() {
        thread = Thread.currentThread();
    }

    /** Ends the thread's sleep. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /** Ends its sleep because of a slot, which can wait while the device has enough to do. */
    public void wakeForSlot() {
        if (!naps) {
            wake();
        }
    }

    /** Sleeps; no slot ends it. */
    void nap(long nanos) {
        naps = true;
        LockSupport.parkNanos(nanos);
        naps = false;
    }
}
