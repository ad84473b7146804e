package io.zarrengine.zarr.errors;

/**
 * A chunk, the elements of variable length of one read, or a result on a device needs more memory
 * than the budget can provide.
 */
public final class BudgetExceededException extends ZarrException {
    private static final long serialVersionUID = 1L;
    private static final double MIB = 1 << 20;

    private BudgetExceededException(String message) {
        super(message, null);
    }

    /**
     * {@return the exception for the engine's budget}
     *
     * @param subject the object that needs the memory
     * @param neededBytes bytes needed, as far as is known
     * @param availableBytes the part of the budget that it can have, in bytes
     * @param budgetBytes the whole budget in bytes
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

    /**
     * Returns a budget that is large enough, rounded up to a power of two. It assumes that the
     * share of the subject does not shrink when the budget grows.
     */
    private static long enoughMebibytes(long neededBytes, long availableBytes, long budgetBytes) {
        double bytes = (double) budgetBytes * neededBytes / Math.max(availableBytes, 1);
        long mebibytes = Math.max((long) Math.ceil(bytes / MIB), 1);
        long powerOfTwo = Long.highestOneBit(mebibytes);
        return powerOfTwo == mebibytes ? mebibytes : 2 * powerOfTwo;
    }

    /**
     * {@return the exception for the engine's budget on a device}
     *
     * @param subject the object that needs the memory
     * @param neededBytes bytes needed
     * @param availableBytes bytes left in the budget
     * @param budgetBytes the whole budget in bytes
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
