package io.zarrengine.zarr.plan;

/**
 * Equidistant positions of one dimension. Each cut is one run, computed on request.
 *
 * @param cut the positions
 * @param distance distance of positions, in elements
 */
record SliceRuns(DimensionCut cut, long distance) implements DimensionRuns {
    @Override
    public long cuts() {
        return cut.cuts();
    }

    @Override
    public long chunk(long i) {
        return cut.chunk(i);
    }

    @Override
    public long firstRun(long i) {
        return i;
    }

    @Override
    public long startInChunk(long run) {
        return cut.startInChunk(run);
    }

    @Override
    public long step(long run) {
        return distance;
    }

    @Override
    public long count(long run) {
        return cut.count(run);
    }

    @Override
    public long target(long run) {
        return cut.first(run);
    }
}
