package io.zarrengine.zarr;

import java.util.Arrays;

/** Positions of a strided box, listed one by one in C order: the slow twin of a selection. */
final class BoxPositions {
    private final long[] offset;
    private final long[] shape;
    private final long[] step;

    BoxPositions(long[] offset, long[] shape, long[] step) {
        this.offset = offset;
        this.shape = shape;
        this.step = step;
    }

    long count() {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    long[] at(long i) {
        long[] position = new long[shape.length];
        long rest = i;
        for (int d = shape.length - 1; d >= 0; d--) {
            position[d] = offset[d] + rest % shape[d] * step[d];
            rest /= shape[d];
        }
        return position;
    }

    Selection selection() {
        return Selection.box(offset, shape, step);
    }
}
