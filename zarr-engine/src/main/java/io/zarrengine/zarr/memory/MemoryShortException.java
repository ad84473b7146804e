package io.zarrengine.zarr.memory;

import io.zarrengine.zarr.errors.BudgetExceededException;

/**
 * What is under way needs more memory than it may have now. It gives up what it has, and begins
 * again when it can have all of it; or it fails, if that will never be. Never leaves the engine.
 */
public final class MemoryShortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How many bytes are needed. */
    private final long neededBytes;

    /** For how many bytes there is room. */
    private final long bytesMax;

    /** Whether they are a result's. */
    private final boolean isOfResult;

    /**
     * Creates the exception.
     *
     * @param neededBytes how much it needs, as far as it has come
     * @param bytesMax how much it may have when nobody else has any
     */
    public MemoryShortException(long neededBytes, long bytesMax) {
        this(neededBytes, bytesMax, false);
    }

    private MemoryShortException(long neededBytes, long bytesMax, boolean isOfResult) {
        super(null, null, false, false); // Who catches it says what is short of memory.
        this.neededBytes = neededBytes;
        this.bytesMax = bytesMax;
        this.isOfResult = isOfResult;
    }

    /**
     * {@return that of a result whose size nobody knew}
     *
     * @param neededBytes how much it needs, as far as it has come
     * @param bytesMax how much it may have
     */
    public static MemoryShortException ofResult(long neededBytes, long bytesMax) {
        return new MemoryShortException(neededBytes, bytesMax, true);
    }

    /** {@return whether it is a result that needs it, and not a chunk} */
    public boolean isOfResult() {
        return isOfResult;
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
     * @param budgetBytes the engine's whole budget
     */
    public BudgetExceededException toBudgetExceeded(String subject, long budgetBytes) {
        return BudgetExceededException.ofEngine(subject, neededBytes, bytesMax, budgetBytes);
    }
}
