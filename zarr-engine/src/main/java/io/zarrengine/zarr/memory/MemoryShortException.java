package io.zarrengine.zarr.memory;

import io.zarrengine.zarr.errors.BudgetExceededException;

/**
 * What is under way needs more memory than it may have now. It gives up what it has, and begins
 * again when it can have all of it; or it fails, if that will never be. Never leaves the engine.
 */
public final class MemoryShortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long neededBytes;
    private final long bytesMax;

    /**
     * Creates the exception.
     *
     * @param neededBytes how much it needs, as far as it has come
     * @param bytesMax how much it may have when nobody else has any
     */
    public MemoryShortException(long neededBytes, long bytesMax) {
        super(null, null, false, false); // Who catches it says what is short of memory.
        this.neededBytes = neededBytes;
        this.bytesMax = bytesMax;
    }

    /** {@return how much it needs, as far as it has come, in bytes} */
    public long neededBytes() {
        return neededBytes;
    }

    /** {@return whether waiting does not help} */
    public boolean isFinal() {
        return neededBytes > bytesMax;
    }

    /**
     * {@return what the caller is told}
     *
     * @param subject what needs the memory
     */
    public BudgetExceededException toBudgetExceeded(String subject) {
        return new BudgetExceededException(subject, neededBytes, bytesMax);
    }
}
