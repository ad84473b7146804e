package io.zarrengine.zarr.memory;

/** A limited amount of memory that can be reserved. Threads: any. */
public final class MemoryBudget {
    private final long bytesMax;
    private final Runnable released;
    private long bytesReserved; // guarded by this

    /**
     * Creates a budget.
     *
     * @param bytesMax size of the budget in bytes
     * @param released runs after each release
     */
    public MemoryBudget(long bytesMax, Runnable released) {
        this.bytesMax = bytesMax;
        this.released = released;
    }

    /** {@return the size of the budget in bytes} */
    public long bytesMax() {
        return bytesMax;
    }

    /**
     * Reserves memory, if enough is left. If not, the caller tries again after the next release.
     *
     * @param bytes number of bytes
     * @return whether it was reserved
     */
    public synchronized boolean tryReserve(long bytes) {
        if (bytes > bytesMax - bytesReserved) {
            return false;
        }
        bytesReserved += bytes;
        return true;
    }

    /**
     * Releases reserved memory.
     *
     * @param bytes number of bytes
     */
    public void release(long bytes) {
        synchronized (this) {
            bytesReserved -= bytes;
            assert bytesReserved >= 0 : "released more than was reserved";
        }
        released.run();
    }

    /** {@return the reserved bytes} */
    public synchronized long bytesReserved() {
        return bytesReserved;
    }
}
