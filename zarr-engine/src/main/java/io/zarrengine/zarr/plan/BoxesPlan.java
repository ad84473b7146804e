package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins many boxes of one array, so that a chunk touched by many of them is read and decoded once.
 * Immutable. It keeps the region of each box, and 8 bytes for each chunk that the box touches.
 */
public final class BoxesPlan implements ChunkPlan {
    private final List<Region> boxes;
    private final ChunkGrid grid;
    private final long[] gridShape;
    private final ChunkRegionPairs touches;

    /**
     * Finds the touched chunks.
     *
     * @param boxes regions of the array with at least one position each; their number must {@link
     *     #fit}
     * @param shape shape of the array
     * @param grid the chunk grid of the array
     * @throws ArithmeticException if the sum of the boxes' touched chunks exceeds {@code
     *     Integer.MAX_VALUE}
     */
    public BoxesPlan(List<Region> boxes, long[] shape, ChunkGrid grid) {
        this.boxes = boxes;
        this.grid = grid;
        gridShape = grid.gridShape(shape);
        touches = new ChunkRegionPairs(boxes, grid.dimensions(), gridShape);
    }

    /**
     * {@return whether numbers of boxes and of chunks fit in 63 bits together; they do except for
     * extremely large grids}
     *
     * @param boxes number of boxes
     * @param shape shape of the array
     * @param grid the chunk grid of the array
     */
    public static boolean fit(int boxes, long[] shape, ChunkGrid grid) {
        return ChunkRegionPairs.fit(boxes, grid.gridShape(shape));
    }

    @Override
    public long chunks() {
        return touches.chunks();
    }

    @Override
    public long partCount() {
        return touches.count();
    }

    @Override
    public long[] coordinates(long ordinal) {
        long[] coordinates = new long[gridShape.length];
        long rest = touches.chunk((int) ordinal);
        for (int d = coordinates.length - 1; d >= 0; d--) {
            coordinates[d] = rest % gridShape[d];
            rest /= gridShape[d];
        }
        return coordinates;
    }

    @Override
    public List<Region> parts(long ordinal) {
        long[] coordinates = coordinates(ordinal);
        long[] origin = grid.origin(coordinates);
        long[] length = grid.chunkShape(coordinates);
        int end = touches.first((int) ordinal + 1);
        List<Region> parts = new ArrayList<>(end - touches.first((int) ordinal));
        for (int pair = touches.first((int) ordinal); pair < end; pair++) {
            parts.add(boxes.get(touches.region(pair)).inside(origin, length));
        }
        return parts;
    }
}
