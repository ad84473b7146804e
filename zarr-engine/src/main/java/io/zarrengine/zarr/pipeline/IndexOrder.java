package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The order of the numbers of a transposed shard index, which is an array {@code (chunks along each
 * dimension, 2)}.
 *
 * @param shape of the array, before it was transposed
 * @param order dimension {@code i} of the stored array is dimension {@code order[i]} of the array
 */
record IndexOrder(List<Long> shape, List<Integer> order) {
    /**
     * Copies numbers to C order.
     *
     * @param stored in this order
     * @param layout of a stored number
     * @param rows longs in native byte order
     */
    void decode(MemorySegment stored, ValueLayout.OfLong layout, MemorySegment rows) {
        long[] strides = strides();
        for (long n = 0; n < rows.byteSize() / Long.BYTES; n++) {
            rows.setAtIndex(JAVA_LONG, n, stored.getAtIndex(layout, storedIndex(n, strides)));
        }
    }

    /** Copies numbers from C order. */
    void encode(MemorySegment rows, MemorySegment stored, ValueLayout.OfLong layout) {
        long[] strides = strides();
        for (long n = 0; n < rows.byteSize() / Long.BYTES; n++) {
            stored.setAtIndex(layout, storedIndex(n, strides), rows.getAtIndex(JAVA_LONG, n));
        }
    }

    /** Returns the distance between stored numbers, along each dimension of the array. */
    private long[] strides() {
        long[] strides = new long[shape.size()];
        long stride = 1;
        for (int dimension : order.reversed()) {
            strides[dimension] = stride;
            stride *= shape.get(dimension);
        }
        return strides;
    }

    private long storedIndex(long n, long[] strides) {
        long index = 0;
        long rest = n;
        for (int d = strides.length - 1; d >= 0; d--) {
            index += rest % shape.get(d) * strides[d];
            rest /= shape.get(d);
        }
        return index;
    }
}
