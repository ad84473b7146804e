package io.zarrengine.zarr.loader;

/**
 * The treatment of the last samples of an epoch, if they are fewer than all ranks together take in
 * a step.
 */
public enum EpochEnd {
    /**
     * Each sample is delivered once. The ranks share the rest, the lower ranks first, so that their
     * batches differ by at most one sample. A rank without a sample has one step less.
     */
    PARTIAL,
    /** The rest is not delivered. All ranks have the same number of full batches. */
    DROP,
    /**
     * The rest is filled with the first samples of the epoch. All ranks have the same number of
     * full batches; {@link Batch#padding} counts the repeated samples.
     */
    PAD
}
