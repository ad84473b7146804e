package io.zarrengine.zarr;

/**
 * How a {@link SliceLoader} reads. A step of less than some 100 KiB takes longer to hand over than
 * to read: then several slices together are faster.
 *
 * @param prefetch how many steps are read ahead of the one that the caller has; 0: none
 * @param batch how many slices a step reads together, as one tensor whose first dimension counts
 *     them; 0: a step is one slice, and its tensor has that slice's dimensions
 * @param firstStep where the loader begins
 */
public record LoaderOptions(int prefetch, int batch, long firstStep) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public LoaderOptions {
        if (prefetch < 0 || batch < 0 || firstStep < 0) {
            throw new IllegalArgumentException(
                    "prefetch %d, batch %d, first step %d: none may be negative"
                            .formatted(prefetch, batch, firstStep));
        }
    }

    /**
     * {@return options that read ahead, slice by slice from the first one}
     *
     * @param steps how many are read ahead
     */
    public static LoaderOptions prefetch(int steps) {
        return new LoaderOptions(steps, 0, 0);
    }

    /**
     * {@return the same, but for the size of a batch}
     *
     * @param slices how many a step reads together
     */
    public LoaderOptions batch(int slices) {
        return new LoaderOptions(prefetch, slices, firstStep);
    }

    /**
     * {@return the same, but for where to begin}
     *
     * @param step the first one, {@link SliceLoader#nextStep} of a loader before
     */
    public LoaderOptions from(long step) {
        return new LoaderOptions(prefetch, batch, step);
    }
}
