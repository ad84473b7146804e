package io.zarrengine.zarr.memory;

import io.zarrengine.zarr.errors.BudgetExceededException;

/**
 * A task needs more memory than it can have now. The task releases its memory and starts again when
 * it can have all of it, or fails if it never can. Never leaves the engine.
 */
public final class MemoryShortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The bytes needed. */
    private final long neededBytes;

    /** The bytes that can be available. */
    private final long bytesMax;

    /** True if a result needs the memory. */
    private final boolean isOfResult;

    /**
     * Creates the exception.
     *
     * @param neededBytes bytes needed, as far as is known
     * @param bytesMax bytes available if nothing else is reserved
     */
    public MemoryShortException(long neededBytes, long bytesMax) {
        this(neededBytes, bytesMax, false);
    }

    private MemoryShortException(long neededBytes, long bytesMax, boolean isOfResult) {
        super(null, null, false, false); // The catcher names the object that is short of memory.
        this.neededBytes = neededBytes;
        this.bytesMax = bytesMax;
        this.isOfResult = isOfResult;
    }

    /**
     * {@return the exception for a result of initially unknown size}
     *
     * @param neededBytes bytes needed, as far as is known
     * @param bytesMax bytes available
     */
    public static MemoryShortException ofResult(long neededBytes, long bytesMax) {
        return new MemoryShortException(neededBytes, bytesMax, true);
    }

    /** {@return whether a result needs the memory, and not a chunk} */
    public boolean isOfResult() {
        return isOfResult;
    }

    /** {@return the bytes needed, as far as is known} */
    public long neededBytes() {
        return neededBytes;
    }

    /** {@return whether waiting cannot help} */
    public boolean isFinal() {
        return neededBytes > bytesMax;
    }

    /**
     * {@return the exception for the caller}
     *
     * @param subject the object that needs the memory
     * @param budgetBytes the engine's whole budget in bytes
     */
    public BudgetExceededException toBudgetExceeded(String subject, long budgetBytes) {
        return BudgetExceededException.ofEngine(subject, neededBytes, bytesMax, budgetBytes);
    }
}
