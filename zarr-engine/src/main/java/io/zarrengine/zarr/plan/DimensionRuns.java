package io.zarrengine.zarr.plan;

/**
 * Positions of one dimension in any order, grouped by chunk. Cut {@code i} holds the positions in
 * the {@code i}-th touched chunk, as runs. A run is a series of positions at equal distances whose
 * elements follow one another in the target.
 */
interface DimensionRuns {
    /** {@return the number of chunks that hold a position} */
    long cuts();

    /** {@return the coordinate of the chunk of a cut} */
    long chunk(long cut);

    /** {@return the first run of a cut; for the number of cuts, the number of runs} */
    long firstRun(long cut);

    /** {@return the first position of a run, relative to its chunk's origin, in elements} */
    long startInChunk(long run);

    /** {@return the distance of a run's positions, in elements} */
    long step(long run);

    /** {@return the number of positions in a run} */
    long count(long run);

    /** {@return the target offset of a run's first element along the dimension, in elements} */
    long target(long run);
}
