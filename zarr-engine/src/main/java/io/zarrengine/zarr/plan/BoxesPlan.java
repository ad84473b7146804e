package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Many boxes of one array as one plan: a chunk that many of them touch is read and decoded once.
 * Immutable; of each box it keeps the region, and 8 bytes for each chunk that holds some of it.
 */
public final class BoxesPlan implements ChunkPlan {
    private final List<Region> boxes;
    private final ChunkGrid grid;
    private final long[] gridShape;
    private final ChunkRegionPairs touches;

    /**
     * Finds the chunks.
     *
     * @param boxes positions in the array, at least one each; as many as {@link #fit}
     * @param shape the array's
     * @param grid how the array is cut into chunks
     * @throws ArithmeticException if the chunks that each touches are more than {@code
     *     Integer.MAX_VALUE} together
     */
    public BoxesPlan(List<Region> boxes, long[] shape, ChunkGrid grid) {
        this.boxes = boxes;
        this.grid = grid;
        gridShape = grid.gridShape(shape);
        touches = new ChunkRegionPairs(boxes, grid.dimensions(), gridShape);
    }

    /**
     * {@return whether there are few enough boxes for so many chunks: always, but for grids of
     * astronomic size}
     *
     * @param boxes how many
     * @param shape the array's
     * @param grid how the array is cut into chunks
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
