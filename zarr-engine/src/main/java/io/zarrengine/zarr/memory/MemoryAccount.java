package io.zarrengine.zarr.memory;

/**
 * What one thread holds of memory, and what of that it has reserved: what is beyond its own share
 * and beyond what was reserved for its present work. Nothing is reserved while that is enough.
 *
 * <p>Owner: one thread.
 */
public final class MemoryAccount {
    private final long ownBytes;
    private final MemoryBudget budget;
    private long held; // bytes
    private long granted; // reserved by who gave the present work, in bytes
    private long elsewhere; // what the same work has reserved for other things, in bytes
    private long reserved; // by this, in bytes

    /**
     * Creates an account of nothing.
     *
     * @param ownBytes what may be held without being reserved
     * @param budget where more is reserved
     */
    public MemoryAccount(long ownBytes, MemoryBudget budget) {
        this.ownBytes = ownBytes;
        this.budget = budget;
    }

    /**
     * Begins other work.
     *
     * @param grantedBytes what is reserved for it already
     * @param elsewhereBytes what is reserved for it besides, and not to be held here
     */
    public void begin(long grantedBytes, long elsewhereBytes) {
        granted = grantedBytes;
        elsewhere = elsewhereBytes;
    }

    /** {@return whether what is held is more than the thread's own share} */
    public boolean exceedsOwn() {
        return held > ownBytes;
    }

    /** Ends the work. What is held is back in the thread's own share. */
    public void end() {
        assert !exceedsOwn() : "memory is held that nobody has reserved";
        granted = 0;
        elsewhere = 0;
        if (reserved > 0) {
            long bytes = reserved;
            reserved = 0;
            budget.release(bytes);
        }
    }

    /**
     * {@return whether more can be held without reserving any}
     *
     * @param bytes how much
     */
    public boolean covers(long bytes) {
        return missing(bytes) <= 0;
    }

    private long missing(long bytes) {
        return held + bytes - ownBytes - granted - reserved;
    }

    /**
     * Counts memory that is about to be held.
     *
     * @param bytes how much
     * @throws MemoryShortException if it cannot be reserved now
     */
    public void take(long bytes) {
        long missing = Math.max(missing(bytes), 0);
        if (missing > 0 && !budget.tryReserve(missing)) {
            throw new MemoryShortException(held + bytes, bytesMax());
        }
        reserved += missing;
        held += bytes;
    }

    /**
     * Counts memory that is not held any more; its reservation lasts until the {@link #end}.
     *
     * @param bytes how much
     */
    public void giveBack(long bytes) {
        held -= bytes;
    }

    /** {@return how much can be held when nobody else has reserved any, in bytes} */
    public long bytesMax() {
        return ownBytes + budget.bytesMax() - elsewhere;
    }

    /** {@return how much of that is not held yet, in bytes} */
    public long bytesLeft() {
        return bytesMax() - held;
    }
}
