package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Positions along each dimension; the result holds every combination. The positions are at equal
 * distances, or listed in any order, with repetitions. Immutable; memory proportional to the lists,
 * independent of the gaps between their positions.
 *
 * @see <a href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#orthogonal-indexing">
 *     zarr-python, orthogonal indexing</a>
 */
public final class OrthogonalPlan implements ChunkPlan {
    private final Region region;
    private final DimensionRuns[] dimensions;
    private final long chunks;

    /**
     * Cuts the positions.
     *
     * @param region at least one position along each dimension, and the target offsets of the
     *     elements; along a listed dimension, only the count and the target layout are used
     * @param listed listed positions inside the array, for each dimension; null if the region has
     *     them
     * @param grid the array's chunk grid
     */
    public OrthogonalPlan(Region region, long[][] listed, ChunkGrid grid) {
        this.region = region;
        this.dimensions = new DimensionRuns[listed.length];
        long product = 1;
        for (int d = 0; d < listed.length; d++) {
            dimensions[d] = runs(d, listed[d], grid.dimensions().get(d));
            product *= dimensions[d].cuts(); // At most the elements of the result: 63 bits.
        }
        this.chunks = product;
    }

    private DimensionRuns runs(int d, long[] listed, ChunkEdges edges) {
        if (listed != null) {
            return new ListedRuns(listed, edges);
        }
        long step = region.step[d];
        return new SliceRuns(DimensionCut.of(region.start[d], step, region.count[d], edges), step);
    }

    @Override
    public long chunks() {
        return chunks;
    }

    @Override
    public long partCount() {
        return Arrays.stream(dimensions)
                .mapToLong(dimension -> dimension.firstRun(dimension.cuts()))
                .reduce(1, (a, b) -> a * b);
    }

    @Override
    public long[] coordinates(long ordinal) {
        long[] cut = cut(ordinal);
        Arrays.setAll(cut, d -> dimensions[d].chunk(cut[d]));
        return cut;
    }

    private long[] cut(long ordinal) {
        long[] cut = new long[dimensions.length];
        long rest = ordinal;
        for (int d = cut.length - 1; d >= 0; d--) {
            long cuts = dimensions[d].cuts();
            cut[d] = rest % cuts;
            rest /= cuts;
        }
        return cut;
    }

    /** Returns one region for each combination of runs. */
    @Override
    public List<Region> parts(long ordinal) {
        Combination combination = new Combination(cut(ordinal));
        List<Region> parts = new ArrayList<>();
        do {
            parts.add(combination.part());
        } while (combination.advance());
        return parts;
    }

    /** Iterates over the combinations of the runs of one chunk, one run per dimension. */
    private final class Combination {
        private final long[] first;
        private final long[] end; // after the last run of each dimension
        private final long[] run;
        private final long[] start;
        private final long[] step;
        private final long[] count;
        private final long[] offset; // in the target, in bytes

        Combination(long... cut) {
            int rank = cut.length;
            first = new long[rank];
            end = new long[rank];
            run = new long[rank];
            start = new long[rank];
            step = new long[rank];
            count = new long[rank];
            offset = new long[rank];
            for (int d = 0; d < rank; d++) {
                first[d] = dimensions[d].firstRun(cut[d]);
                end[d] = dimensions[d].firstRun(cut[d] + 1);
                take(d, first[d]);
            }
        }

        private void take(int d, long newRun) {
            DimensionRuns dimension = dimensions[d];
            run[d] = newRun;
            start[d] = dimension.startInChunk(newRun);
            step[d] = dimension.step(newRun);
            count[d] = dimension.count(newRun);
            offset[d] = dimension.target(newRun) * region.targetStride[d];
        }

        /** Advances the last dimension fastest; returns false after the last combination. */
        boolean advance() {
            for (int d = run.length - 1; d >= 0; d--) {
                if (run[d] + 1 < end[d]) {
                    take(d, run[d] + 1);
                    return true;
                }
                if (run[d] != first[d]) {
                    take(d, first[d]);
                }
            }
            return false;
        }

        Region part() {
            int rank = run.length;
            long[] partStart = new long[rank];
            long[] partStep = new long[rank];
            long[] partCount = new long[rank];
            long targetOffset = region.targetOffset;
            for (int d = 0; d < rank; d++) {
                partStart[d] = start[d];
                partStep[d] = step[d];
                partCount[d] = count[d];
                targetOffset += offset[d];
            }
            return new Region(partStart, partStep, partCount, region.targetStride, targetOffset);
        }
    }
}
