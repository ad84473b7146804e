package io.zarrengine.zarr.memory;

/** Memory of which there is only so much. Threads: any. */
public final class MemoryBudget {
    private final long bytesMax;
    private final Runnable released;
    private long bytesReserved; // guarded by this

    /**
     * Creates a budget.
     *
     * @param bytesMax how much there is
     * @param released runs whenever memory is given back
     */
    public MemoryBudget(long bytesMax, Runnable released) {
        this.bytesMax = bytesMax;
        this.released = released;
    }

    /** {@return how much there is at most, in bytes} */
    public long bytesMax() {
        return bytesMax;
    }

    /**
     * Reserves memory, or refuses: then the caller tries again after the next release.
     *
     * @param bytes how much
     * @return whether there is so much
     */
    public synchronized boolean tryReserve(long bytes) {
        if (bytes > bytesMax - bytesReserved) {
            return false;
        }
        bytesReserved += bytes;
        return true;
    }

    /**
     * Gives memory back.
     *
     * @param bytes how much, of what was reserved
     */
    public void release(long bytes) {
        synchronized (this) {
            bytesReserved -= bytes;
            assert bytesReserved >= 0 : "released more than was reserved";
        }
        released.run();
    }

    /** {@return how much of it is reserved, in bytes} */
    public synchronized long bytesReserved() {
        return bytesReserved;
    }
}
