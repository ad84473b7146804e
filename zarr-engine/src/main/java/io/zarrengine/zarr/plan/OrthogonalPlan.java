package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Positions that are listed for each dimension, in any order and as often as wanted: the result
 * holds every combination. Immutable; memory proportional to the lists.
 *
 * @see <a href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#orthogonal-indexing">
 *     zarr-python, orthogonal indexing</a>
 */
public final class OrthogonalPlan implements ChunkPlan {
    private final DimensionRuns[] dimensions;
    private final long[] targetStride; // in bytes
    private final long chunks;

    /**
     * Cuts the lists.
     *
     * @param positions those of each dimension, inside the array; at least one of each
     * @param targetStride distance of elements in the target along each dimension, in bytes
     * @param grid how the array is cut into chunks
     */
    public OrthogonalPlan(long[][] positions, long[] targetStride, ChunkGrid grid) {
        this.targetStride = targetStride.clone();
        this.dimensions = new DimensionRuns[positions.length];
        long product = 1;
        for (int d = 0; d < positions.length; d++) {
            dimensions[d] = new DimensionRuns(positions[d], grid.dimensions().get(d));
            product *= dimensions[d].cuts(); // At most the elements of the result: 63 bits.
        }
        this.chunks = product;
    }

    @Override
    public long chunks() {
        return chunks;
    }

    @Override
    public long partCount() {
        return Arrays.stream(dimensions).mapToLong(DimensionRuns::runs).reduce(1, (a, b) -> a * b);
    }

    @Override
    public long[] coordinates(long ordinal) {
        int[] cut = cut(ordinal);
        long[] coordinates = new long[cut.length];
        Arrays.setAll(coordinates, d -> dimensions[d].chunk(cut[d]));
        return coordinates;
    }

    private int[] cut(long ordinal) {
        int[] cut = new int[dimensions.length];
        long rest = ordinal;
        for (int d = cut.length - 1; d >= 0; d--) {
            cut[d] = (int) (rest % dimensions[d].cuts());
            rest /= dimensions[d].cuts();
        }
        return cut;
    }

    /** Every combination of runs. */
    @Override
    public List<Region> parts(long ordinal) {
        int[] cut = cut(ordinal);
        int rank = cut.length;
        int[] run = new int[rank];
        for (int d = 0; d < rank; d++) {
            run[d] = dimensions[d].firstRun(cut[d]);
        }
        List<Region> parts = new ArrayList<>();
        while (true) {
            parts.add(part(run));
            int d = rank - 1;
            while (d >= 0 && ++run[d] == dimensions[d].firstRun(cut[d] + 1)) {
                run[d] = dimensions[d].firstRun(cut[d]);
                d--;
            }
            if (d < 0) {
                return parts;
            }
        }
    }

    private Region part(int[] run) {
        int rank = run.length;
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long offset = 0;
        for (int d = 0; d < rank; d++) {
            start[d] = dimensions[d].startInChunk(run[d]);
            step[d] = dimensions[d].step(run[d]);
            count[d] = dimensions[d].count(run[d]);
            offset += dimensions[d].target(run[d]) * targetStride[d];
        }
        return new Region(start, step, count, targetStride, offset);
    }
}
