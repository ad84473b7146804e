package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * One plan for many boxes of one array. A chunk that several of them touch is read and decoded
 * once. Immutable; for each box it keeps the region, and 8 bytes for each chunk that the box
 * touches.
 */
public final class BoxesPlan implements ChunkPlan {
    private final List<Region> boxes;
    private final ChunkGrid grid;
    private final long[] gridShape;
    private final ChunkRegionPairs pairs;

    /**
     * Finds the touched chunks.
     *
     * @param boxes positions in the array, at least one each; their number must {@link #fit}
     * @param shape the array's shape
     * @param grid the array's chunk grid
     * @throws ArithmeticException if the sum of the boxes' touched chunks is more than {@code
     *     Integer.MAX_VALUE}
     */
    public BoxesPlan(List<Region> boxes, long[] shape, ChunkGrid grid) {
        this.boxes = boxes;
        this.grid = grid;
        gridShape = grid.gridShape(shape);
        pairs = new ChunkRegionPairs(boxes, grid.dimensions(), gridShape);
    }

    /**
     * {@return whether the number of boxes is small enough for the grid; false only for grids of
     * astronomic size}
     *
     * @param boxes the number of boxes
     * @param shape the array's shape
     * @param grid the array's chunk grid
     */
    public static boolean fit(int boxes, long[] shape, ChunkGrid grid) {
        return ChunkRegionPairs.fit(boxes, grid.gridShape(shape));
    }

    @Override
    public long chunks() {
        return pairs.chunks();
    }

    @Override
    public long partCount() {
        return pairs.count();
    }

    @Override
    public long[] coordinates(long ordinal) {
        return GridPosition.of(pairs.chunk((int) ordinal), gridShape);
    }

    @Override
    public List<Region> parts(long ordinal) {
        long[] coordinates = coordinates(ordinal);
        long[] origin = grid.origin(coordinates);
        long[] length = grid.chunkShape(coordinates);
        int end = pairs.first((int) ordinal + 1);
        List<Region> parts = new ArrayList<>(end - pairs.first((int) ordinal));
        for (int pair = pairs.first((int) ordinal); pair < end; pair++) {
            parts.add(boxes.get(pairs.region(pair)).inside(origin, length));
        }
        return parts;
    }
}
