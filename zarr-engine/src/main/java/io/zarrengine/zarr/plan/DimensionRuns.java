package io.zarrengine.zarr.plan;

/**
 * Positions of one dimension in any order, by the chunk that holds them: cut {@code i} is what
 * falls into the {@code i}-th touched chunk, in runs. Those are positions at equal distances whose
 * elements follow one another in the target.
 */
interface DimensionRuns {
    /** {@return how many chunks hold a position} */
    long cuts();

    /** {@return the coordinate of the chunk of a cut} */
    long chunk(long cut);

    /** {@return the first run of a cut; of the number of cuts, the number of runs} */
    long firstRun(long cut);

    /** {@return where the first position of a run lies in its chunk, in elements} */
    long startInChunk(long run);

    /** {@return the distance of a run's positions, in elements} */
    long step(long run);

    /** {@return the number of positions in a run} */
    long count(long run);

    /** {@return where the first element of a run goes along the dimension, in elements} */
    long target(long run);
}
