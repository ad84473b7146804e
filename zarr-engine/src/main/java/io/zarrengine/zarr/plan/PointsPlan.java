package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Single elements in any order, with repetitions. Each chunk is read once. Immutable; memory
 * proportional to the number of points.
 *
 * @see <a
 *     href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#indexing-with-coordinate-arrays">
 *     zarr-python, indexing with coordinate arrays</a>
 */
public final class PointsPlan implements ChunkPlan {
    private final long[][] positions; // (rank)(points)
    private final int elementBytes;
    private final ChunkGrid grid;
    private final ChunkGroups byChunk; // points

    /**
     * Sorts the points by chunk.
     *
     * @param positions positions inside the array: for each dimension, one for each point
     * @param points the number of points, at most {@code Integer.MAX_VALUE} / 2
     * @param elementBytes size of an element; the elements follow one another in the target
     * @param shape the array's shape
     * @param grid the array's chunk grid
     */
    public PointsPlan(
            long[][] positions, int points, int elementBytes, long[] shape, ChunkGrid grid) {
        this.positions = positions;
        this.elementBytes = elementBytes;
        this.grid = grid;
        byChunk = new ChunkGroups(chunkNumbers(points, shape));
    }

    /** The number of each point's chunk, in C order of the grid. */
    private long[] chunkNumbers(int points, long[] shape) {
        long[] gridShape = grid.gridShape(shape);
        long[] numbers = new long[points];
        for (int d = 0; d < positions.length; d++) {
            for (int i = 0; i < points; i++) {
                long chunk = grid.dimensions().get(d).chunkOf(positions[d][i]);
                numbers[i] = numbers[i] * gridShape[d] + chunk;
            }
        }
        return numbers;
    }

    @Override
    public long chunks() {
        return byChunk.chunks();
    }

    @Override
    public long partCount() {
        return byChunk.first(byChunk.chunks());
    }

    @Override
    public long[] coordinates(long ordinal) {
        int point = byChunk.item(byChunk.first((int) ordinal));
        long[] coordinates = new long[positions.length];
        Arrays.setAll(coordinates, d -> grid.dimensions().get(d).chunkOf(positions[d][point]));
        return coordinates;
    }

    @Override
    public List<Region> parts(long ordinal) {
        long[] coordinates = coordinates(ordinal);
        long[] ones = new long[positions.length];
        Arrays.fill(ones, 1);
        long[] stride = new long[positions.length];
        Arrays.fill(stride, elementBytes);
        List<Region> parts = new ArrayList<>();
        int end = byChunk.first((int) ordinal + 1);
        for (int i = byChunk.first((int) ordinal); i < end; i++) {
            int point = byChunk.item(i);
            long[] start = new long[positions.length];
            for (int d = 0; d < start.length; d++) {
                long origin = grid.dimensions().get(d).origin(coordinates[d]);
                start[d] = positions[d][point] - origin;
            }
            parts.add(new Region(start, ones, ones, stride, (long) point * elementBytes));
        }
        return parts;
    }
}
