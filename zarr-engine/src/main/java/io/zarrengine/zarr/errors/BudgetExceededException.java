package io.zarrengine.zarr.errors;

/** One chunk needs more memory than the engine may ever use. */
public final class BudgetExceededException extends ZarrException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param subject what needs the memory
     * @param neededBytes how much
     * @param budgetBytes how much the engine may use
     */
    public BudgetExceededException(String subject, long neededBytes, long budgetBytes) {
        super(
                subject + " needs " + neededBytes + " bytes, the engine's budget is " + budgetBytes,
                null);
    }
}
