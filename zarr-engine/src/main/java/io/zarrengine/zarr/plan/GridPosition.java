package io.zarrengine.zarr.plan;

/** Positions in a grid. */
public final class GridPosition {
    private GridPosition() {}

    /**
     * {@return the position along each dimension that an index in C order has}
     *
     * @param index from 0, below the product of the lengths
     * @param lengths of the grid, along each dimension
     */
    public static long[] of(long index, long... lengths) {
        long[] position = new long[lengths.length];
        long rest = index;
        for (int d = lengths.length - 1; d >= 0; d--) {
            position[d] = rest % lengths[d];
            rest /= lengths[d];
        }
        return position;
    }
}
