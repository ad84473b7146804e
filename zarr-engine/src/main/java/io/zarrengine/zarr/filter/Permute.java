package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.place.Scatter;
import io.zarrengine.zarr.place.StridedBox;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Brings the elements of a chunk from the order of its encoded dimensions to the order of its own.
 * Used only below a filter that depends on the order; otherwise placing does the same.
 *
 * @param shape of the chunk, before it was transposed
 * @param order encoded dimension {@code i} is dimension {@code order[i]}
 * @param elementBytes size of an element
 */
record Permute(List<Long> shape, List<Integer> order, int elementBytes) implements ArrayFilter {
    @Override
    public String name() {
        return "transpose";
    }

    @Override
    public long encodedBytes() {
        return shape.stream().reduce((long) elementBytes, (a, b) -> a * b);
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment decoded, BlockArrays arrays) {
        int rank = shape.size();
        long[] stride = new long[rank]; // of each dimension, in bytes of the decoded chunk
        long bytes = elementBytes;
        for (int d = rank - 1; d >= 0; d--) {
            stride[d] = bytes;
            bytes *= shape.get(d);
        }
        long[] count = new long[rank];
        long[] step = new long[rank];
        long[] targetStride = new long[rank];
        for (int d = 0; d < rank; d++) {
            count[d] = shape.get(order.get(d));
            step[d] = 1;
            targetStride[d] = stride[order.get(d)];
        }
        StridedBox box = new StridedBox();
        box.set(new Region(new long[rank], step, count, targetStride, 0), count, elementBytes);
        Scatter.copyFastest(box, encoded, decoded, 1);
    }
}
