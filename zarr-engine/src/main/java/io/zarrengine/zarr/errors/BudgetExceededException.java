package io.zarrengine.zarr.errors;

/**
 * One chunk needs more memory than the engine may ever use, or than the machine has; or the
 * elements of variable length that one read brings together do.
 */
public final class BudgetExceededException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param subject what needs the memory
     * @param neededBytes how much
     * @param budgetBytes how much of the engine's budget there is for it
     */
    public BudgetExceededException(String subject, long neededBytes, long budgetBytes) {
        super(
                subject
                        + " needs "
                        + neededBytes
                        + " bytes, of the engine's budget it can have "
                        + budgetBytes,
                null);
    }

    /**
     * Creates the exception for memory that the engine may use and the machine does not give.
     *
     * @param subject what needs the memory
     * @param neededBytes how much
     * @param cause the machine's refusal
     */
    public BudgetExceededException(String subject, long neededBytes, OutOfMemoryError cause) {
        super(subject + " needs " + neededBytes + " bytes of memory: " + cause.getMessage(), cause);
    }
}
