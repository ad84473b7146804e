package io.zarrengine.zarr.plan;

/**
 * A region of an array, cut along the chunks of a regular grid. Immutable; memory proportional to
 * the rank, whatever the number of chunks.
 */
public final class GridPlan {
    private final Region region;
    private final DimensionCut[] cuts;
    private final long chunks;

    /**
     * Cuts a region.
     *
     * @param region positions in the array
     * @param chunkShape length of a chunk along each dimension
     */
    public GridPlan(Region region, long[] chunkShape) {
        this.region = region;
        this.cuts = new DimensionCut[region.rank()];
        boolean empty = region.elements() == 0;
        long product = empty ? 0 : 1;
        for (int d = 0; d < cuts.length && !empty; d++) {
            cuts[d] =
                    new DimensionCut(
                            region.start[d], region.step[d], region.count[d], chunkShape[d]);
            product *= cuts[d].cuts(); // At most the elements of the region: 63 bits.
        }
        this.chunks = product;
    }

    /** {@return how many chunks hold a position} */
    public long chunks() {
        return chunks;
    }

    /**
     * {@return the coordinates in the grid of a chunk}
     *
     * @param ordinal which of the chunks, in C order
     */
    public long[] coordinates(long ordinal) {
        long[] index = index(ordinal);
        for (int d = 0; d < cuts.length; d++) {
            index[d] = cuts[d].chunk(index[d]);
        }
        return index;
    }

    /**
     * {@return the positions that lie in a chunk, counted from its origin}
     *
     * @param ordinal which of the chunks, in C order
     */
    public Region part(long ordinal) {
        int rank = cuts.length;
        long[] index = index(ordinal);
        long[] start = new long[rank];
        long[] count = new long[rank];
        long targetOffset = region.targetOffset;
        for (int d = 0; d < rank; d++) {
            start[d] = cuts[d].startInChunk(index[d]);
            count[d] = cuts[d].count(index[d]);
            targetOffset += cuts[d].first(index[d]) * region.targetStride[d];
        }
        return new Region(start, region.step, count, region.targetStride, targetOffset);
    }

    private long[] index(long ordinal) {
        long[] index = new long[cuts.length];
        long rest = ordinal;
        for (int d = cuts.length - 1; d >= 0; d--) {
            index[d] = rest % cuts[d].cuts();
            rest /= cuts[d].cuts();
        }
        return index;
    }
}
