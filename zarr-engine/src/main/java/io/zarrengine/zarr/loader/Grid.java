package io.zarrengine.zarr.loader;

import java.util.Arrays;

/** Arithmetic on shapes. */
final class Grid {
    private Grid() {}

    /**
     * {@return the number of places along each dimension where a box can begin}
     *
     * @throws IllegalArgumentException if the box does not fit
     */
    static long[] places(long[] shape, long[] box) {
        long[] places = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            if (box.length != shape.length || box[d] < 1 || box[d] > shape[d]) {
                throw new IllegalArgumentException(
                        "a sample of %s does not fit an array of %s"
                                .formatted(Arrays.toString(box), Arrays.toString(shape)));
            }
            places[d] = shape[d] - box[d] + 1;
        }
        return places;
    }

    /** {@return the product of lengths} */
    static long count(long[] lengths) {
        return Arrays.stream(lengths).reduce(1, Math::multiplyExact);
    }
}
