package io.zarrengine.zarr.loader;

import java.util.SplittableRandom;

/** The order of an epoch's samples. Immutable; each position is computed on its own. */
@FunctionalInterface
interface SampleOrder {
    /** The order of the sampler. */
    SampleOrder SEQUENTIAL = (epoch, position) -> position;

    /** {@return the number, below the size of an epoch, of the sample at a position} */
    long at(long epoch, long position);

    /** {@return another random order for each epoch} */
    static SampleOrder shuffled(long epochSize, long seed) {
        Permutation permutation = new Permutation(epochSize);
        long run = new SplittableRandom(seed).nextLong();
        return (epoch, position) -> permutation.at(position, run ^ epoch);
    }
}
