package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.List;

/**
 * A region of an array, cut along the chunks of a grid. Immutable. If the grid is regular, memory
 * is proportional to the rank and independent of the number of chunks.
 */
public final class GridPlan implements ChunkPlan {
    private final Region region;
    private final DimensionCut[] cuts;
    private final long chunks;

    /**
     * Cuts a region.
     *
     * @param region positions in the array
     * @param grid the array's chunk grid
     */
    public GridPlan(Region region, ChunkGrid grid) {
        this.region = region;
        this.chunks = region.chunks(grid.dimensions());
        this.cuts = chunks == 0 ? new DimensionCut[0] : region.cuts(grid.dimensions());
    }

    @Override
    public long chunks() {
        return chunks;
    }

    @Override
    public long partCount() {
        return chunks;
    }

    @Override
    public long[] coordinates(long ordinal) {
        long[] index = index(ordinal);
        for (int d = 0; d < cuts.length; d++) {
            index[d] = cuts[d].chunk(index[d]);
        }
        return index;
    }

    @Override
    public List<Region> parts(long ordinal) {
        return List.of(part(ordinal));
    }

    /** The only part of a chunk. */
    Region part(long ordinal) {
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
