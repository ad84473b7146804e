package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.plan.GridPosition;
import java.util.Arrays;

/**
 * Windows at regular distances, in C order.
 *
 * @param window the length of a window along each dimension
 * @param stride the distance from one window to the next
 * @param grid the number of windows along each dimension
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SlidingWindows(long[] window, long[] stride, long[] grid) implements Sampler {
    static SlidingWindows of(long[] shape, long[] window, long[] stride) {
        long[] grid = Grid.places(shape, window);
        if (stride.length != shape.length || Arrays.stream(stride).anyMatch(step -> step < 1)) {
            throw new IllegalArgumentException(
                    "a stride of %s, expected a positive number for each of %d dimensions"
                            .formatted(Arrays.toString(stride), shape.length));
        }
        Arrays.setAll(grid, d -> Math.ceilDiv(grid[d], stride[d]));
        return new SlidingWindows(window.clone(), stride.clone(), grid);
    }

    @Override
    public Selection get(long number) {
        long[] corner = GridPosition.of(number, grid);
        Arrays.setAll(corner, d -> corner[d] * stride[d]);
        return Selection.box(corner, window);
    }

    @Override
    public long count() {
        return Grid.count(grid);
    }
}
