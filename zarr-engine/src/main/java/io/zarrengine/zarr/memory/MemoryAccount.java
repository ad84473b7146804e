package io.zarrengine.zarr.memory;

/**
 * The memory that a thread holds, and the part that it reserves from the budget. It reserves only
 * what exceeds its own share and the grant for its current work.
 *
 * <p>Owner: one thread.
 */
public final class MemoryAccount {
    private final long ownBytes;
    private final MemoryBudget budget;
    private long held; // in bytes
    private long granted; // reserved by the giver of the current work, in bytes
    private long elsewhere; // reserved for other memory of the same work, in bytes
    private long reserved; // reserved by this account, in bytes

    /**
     * Creates an account without memory.
     *
     * @param ownBytes bytes that may be held without a reservation
     * @param budget the budget to reserve more from
     */
    public MemoryAccount(long ownBytes, MemoryBudget budget) {
        this.ownBytes = ownBytes;
        this.budget = budget;
    }

    /**
     * Begins a new piece of work.
     *
     * @param grantedBytes bytes already reserved for it
     * @param elsewhereBytes bytes reserved for other memory of the work, which this account must
     *     not hold
     */
    public void begin(long grantedBytes, long elsewhereBytes) {
        granted = grantedBytes;
        elsewhere = elsewhereBytes;
    }

    /** {@return whether the held memory exceeds the thread's own share} */
    public boolean exceedsOwn() {
        return held > ownBytes;
    }

    /** Ends the work. The held memory must be within the thread's own share again. */
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
     * {@return whether more can be held without a reservation}
     *
     * @param bytes additional bytes
     */
    public boolean covers(long bytes) {
        return missing(bytes) <= 0;
    }

    private long missing(long bytes) {
        return held + bytes - ownBytes - granted - reserved;
    }

    /**
     * Adds memory before it is allocated.
     *
     * @param bytes number of bytes
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
     * Subtracts memory that is not held any more. Its reservation lasts until {@link #end}.
     *
     * @param bytes number of bytes
     */
    public void giveBack(long bytes) {
        held -= bytes;
    }

    /** {@return the maximum that can be held if nothing else is reserved, in bytes} */
    public long bytesMax() {
        return ownBytes + budget.bytesMax() - elsewhere;
    }

    /** {@return the part of {@link #bytesMax} that is not held, in bytes} */
    public long bytesLeft() {
        return bytesMax() - held;
    }
}
