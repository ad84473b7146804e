package io.zarrengine.zarr.plan;

/**
 * Positions of one dimension in any order, grouped by chunk. Cut {@code i} holds the positions in
 * the {@code i}-th touched chunk, as runs. A run has equidistant positions whose elements are
 * adjacent in the target.
 */
interface DimensionRuns {
    /** {@return the number of chunks that hold a position} */
    long cuts();

    /** {@return the coordinate of the chunk of a cut} */
    long chunk(long cut);

    /** {@return the first run of a cut; for {@code cuts()}, the number of runs} */
    long firstRun(long cut);

    /** {@return the offset of the first position of a run in its chunk, in elements} */
    long startInChunk(long run);

    /** {@return the distance of a run's positions, in elements} */
    long step(long run);

    /** {@return the number of positions in a run} */
    long count(long run);

    /** {@return the target index of the first element of a run along the dimension, in elements} */
    long target(long run);
}
