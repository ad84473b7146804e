package io.zarrengine.zarr.execute;

/**
 * The memory that the workers may use besides what each has from the start: for reads and chunks
 * too large for that. Threads: any.
 */
final class MemoryBudget {
    private final long bytesMax;
    private final Runnable released;
    private long bytesReserved; // guarded by this

    /** {@code released} runs whenever memory is given back. */
    MemoryBudget(long bytesMax, Runnable released) {
        this.bytesMax = bytesMax;
        this.released = released;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** Reserves memory, or refuses: then the caller tries again after the next release. */
    synchronized boolean tryReserve(long bytes) {
        if (bytes > bytesMax - bytesReserved) {
            return false;
        }
        bytesReserved += bytes;
        return true;
    }

    void release(long bytes) {
        synchronized (this) {
            bytesReserved -= bytes;
            assert bytesReserved >= 0 : "released more than was reserved";
        }
        released.run();
    }

    synchronized long bytesReserved() {
        return bytesReserved;
    }
}
