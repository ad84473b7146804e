package io.zarrengine.zarr.tensor;

import java.util.Arrays;

/** Computes positions of elements in C order. */
public final class Strides {
    private Strides() {}

    /** {@return the distance from one element to the next along each dimension, in elements} */
    public static long[] of(long[] shape) {
        long[] strides = new long[shape.length];
        long stride = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape[d];
        }
        return strides;
    }

    /**
     * {@return the number of elements before the one at a position}
     *
     * @param position its index along each dimension
     * @throws IndexOutOfBoundsException if the position is not inside the shape
     * @throws IllegalArgumentException if the position has another number of dimensions
     */
    public static long index(long[] shape, long[] position) {
        if (position.length != shape.length) {
            throw new IllegalArgumentException(
                    "the position "
                            + Arrays.toString(position)
                            + " does not have the dimensions of the shape "
                            + Arrays.toString(shape));
        }
        long index = 0;
        for (int d = 0; d < shape.length; d++) {
            if (position[d] < 0 || position[d] >= shape[d]) {
                throw new IndexOutOfBoundsException(
                        "the position "
                                + Arrays.toString(position)
                                + " is not inside the shape "
                                + Arrays.toString(shape));
            }
            index = index * shape[d] + position[d];
        }
        return index;
    }
}
