package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.selection.Masks;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.Arrays;

/** A selection of single elements. */
final class PointsSelection extends Selection {
    /** The maximum number of points: their positions are sorted as 32-bit numbers. */
    private static final int POINTS_MAX = Integer.MAX_VALUE / 2;

    private final long[][] indexes; // (rank)(points or 1); null for a mask
    private final int points;
    private final boolean[] mask; // null for indexes

    private PointsSelection(long[][] indexes, int points, boolean[] mask) {
        this.indexes = indexes;
        this.points = points;
        this.mask = mask;
    }

    static PointsSelection of(long[]... indexes) {
        int points = 1;
        for (long[] along : indexes) {
            points = along.length == 1 ? points : along.length;
        }
        for (long[] along : indexes) {
            if (along.length != points && along.length != 1) {
                throw new IllegalArgumentException(
                        "the points have "
                                + along.length
                                + " indexes along one dimension and "
                                + points
                                + " along another");
            }
        }
        if (points > POINTS_MAX) {
            throw new IllegalArgumentException(
                    points + " points are too many: at most " + POINTS_MAX + " are possible");
        }
        return new PointsSelection(
                Arrays.stream(indexes).map(long[]::clone).toArray(long[][]::new), points, null);
    }

    static PointsSelection ofMask(boolean... mask) {
        return new PointsSelection(null, 0, mask.clone());
    }

    @Override
    ResolvedSelection resolve(long[] shape, ChunkGrid grid) {
        if (mask != null) {
            return resolveMask(shape);
        }
        if (indexes.length != shape.length) {
            throw new IllegalArgumentException(
                    this + " have " + indexes.length + " indexes, the array " + shape.length);
        }
        long[][] positions = new long[shape.length][points];
        for (int d = 0; d < shape.length; d++) {
            for (int i = 0; i < points; i++) {
                long at = indexes[d][indexes[d].length == 1 ? 0 : i];
                positions[d][i] = ResolvedSelection.position(at, d, shape[d]);
            }
        }
        return ResolvedSelection.ofPoints(shape, positions, points);
    }

    private ResolvedSelection resolveMask(long[] shape) {
        long elements = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        if (mask.length != elements) {
            throw new IndexOutOfBoundsException(
                    "a mask of "
                            + mask.length
                            + " elements, the array has "
                            + elements
                            + " elements");
        }
        long[] wanted = Masks.positions(mask);
        long[][] positions = new long[shape.length][wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            long rest = wanted[i];
            for (int d = shape.length - 1; d >= 0; d--) {
                positions[d][i] = rest % shape[d];
                rest /= shape[d];
            }
        }
        return ResolvedSelection.ofPoints(shape, positions, wanted.length);
    }

    @Override
    public String toString() {
        return mask != null ? "a mask of " + mask.length + " elements" : points + " points";
    }
}
