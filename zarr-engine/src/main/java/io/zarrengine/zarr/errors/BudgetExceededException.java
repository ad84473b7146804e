package io.zarrengine.zarr.errors;

/**
 * One chunk needs more memory than the engine may ever use; or the elements of variable length that
 * one read brings together do; or a result on a device needs more than is left there.
 */
public final class BudgetExceededException extends ZarrException {
    private static final long serialVersionUID = 1L;
    private static final double MIB = 1 << 20;

    private BudgetExceededException(String message) {
        super(message, null);
    }

    /**
     * {@return what is told of the engine's budget}
     *
     * @param subject what needs the memory
     * @param neededBytes how much, as far as is known
     * @param availableBytes how much of the budget there is for it
     * @param budgetBytes the whole budget
     */
    public static BudgetExceededException ofEngine(
            String subject, long neededBytes, long availableBytes, long budgetBytes) {
        long mebibytes = enoughMebibytes(neededBytes, availableBytes, budgetBytes);
        String message =
                ("%s needs at least %d bytes, of the engine's budget of %d it can have %d:"
                                + " try a budget of %d MiB (ZarrEngineBuilder.budgetBytes, or"
                                + " --memory %d)")
                        .formatted(
                                subject,
                                neededBytes,
                                budgetBytes,
                                availableBytes,
                                mebibytes,
                                mebibytes);
        return new BudgetExceededException(message);
    }

    /** Whatever has a share of the budget has at least the same of a larger one. */
    private static long enoughMebibytes(long neededBytes, long availableBytes, long budgetBytes) {
        double bytes = (double) budgetBytes * neededBytes / Math.max(availableBytes, 1);
        long mebibytes = Math.max((long) Math.ceil(bytes / MIB), 1);
        long powerOfTwo = Long.highestOneBit(mebibytes);
        return powerOfTwo == mebibytes ? mebibytes : 2 * powerOfTwo;
    }

    /**
     * {@return what is told of the engine's budget on a device}
     *
     * @param subject what needs the memory
     * @param neededBytes how much
     * @param availableBytes how much is left
     * @param budgetBytes the whole budget
     */
    public static BudgetExceededException ofDevice(
            String subject, long neededBytes, long availableBytes, long budgetBytes) {
        String message =
                ("%s needs %d bytes, of the engine's budget of %d there %d are left: close results,"
                                + " or give it more (ZarrEngineBuilder.deviceBudgetBytes)")
                        .formatted(subject, neededBytes, budgetBytes, availableBytes);
        return new BudgetExceededException(message);
    }
}
