package io.zarrengine.zarr;

/**
 * Options of a {@link SliceLoader}. Handing over a step of less than some 100 KiB takes longer than
 * reading it; a batch of several slices is then faster.
 *
 * @param prefetch number of steps to read ahead of the caller's current one; 0: none
 * @param batch number of slices that a step reads together, as one tensor whose first dimension
 *     counts them; 0: a step is one slice, and its tensor has that slice's dimensions
 * @param firstStep the step at which the loader begins
 */
public record LoaderOptions(int prefetch, int batch, long firstStep) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is negative
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
     * @param steps number of steps to read ahead
     */
    public static LoaderOptions prefetch(int steps) {
        return new LoaderOptions(steps, 0, 0);
    }

    /**
     * {@return these options with another batch size}
     *
     * @param slices number of slices that a step reads together
     */
    public LoaderOptions batch(int slices) {
        return new LoaderOptions(prefetch, slices, firstStep);
    }

    /**
     * {@return these options with another first step}
     *
     * @param step the first step, e.g. {@link SliceLoader#nextStep} of an earlier loader
     */
    public LoaderOptions from(long step) {
        return new LoaderOptions(prefetch, batch, step);
    }
}
