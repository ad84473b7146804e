package io.zarrengine.zarr.plan;

import java.util.Arrays;
import java.util.List;

/**
 * Positions in an array or a chunk, and where each goes: along dimension {@code d} the positions
 * {@code start[d] + i * step[d]} for {@code 0 <= i < count[d]}; position {@code i} goes to byte
 * {@code targetOffset + sum of i * targetStride[d]}.
 *
 * <p>Immutable; the arrays are not copied and not changed. Shape of each array: {@code (rank)}.
 */
public final class Region {
    final long[] start; // in elements
    final long[] step; // in elements, > 0
    final long[] count; // positions, >= 0
    final long[] targetStride; // in bytes; negative where a dimension is reversed
    final long targetOffset; // in bytes

    /**
     * Creates a region; its arrays belong to it from now on.
     *
     * @param start first position along each dimension
     * @param step distance of positions, {@code > 0}
     * @param count number of positions, {@code >= 0}
     * @param targetStride distance of elements in the target, in bytes
     * @param targetOffset where the first element goes, in bytes
     */
    public Region(long[] start, long[] step, long[] count, long[] targetStride, long targetOffset) {
        this.start = start;
        this.step = step;
        this.count = count;
        this.targetStride = targetStride;
        this.targetOffset = targetOffset;
    }

    /**
     * {@return all of a chunk, which goes where it would lie in C order}
     *
     * @param shape of the chunk
     * @param elementBytes size of an element
     */
    public static Region whole(List<Long> shape, int elementBytes) {
        int rank = shape.size();
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] targetStride = new long[rank];
        long stride = elementBytes;
        for (int d = rank - 1; d >= 0; d--) {
            step[d] = 1;
            count[d] = shape.get(d);
            targetStride[d] = stride;
            stride *= shape.get(d);
        }
        return new Region(new long[rank], step, count, targetStride, 0);
    }

    /** {@return the number of dimensions} */
    public int rank() {
        return start.length;
    }

    /** {@return the number of positions} */
    public long elements() {
        long elements = 1;
        for (long length : count) {
            elements *= length;
        }
        return elements;
    }

    /**
     * {@return the first position along a dimension, in elements}
     *
     * @param d the dimension
     */
    public long start(int d) {
        return start[d];
    }

    /**
     * {@return the distance of positions along a dimension, in elements}
     *
     * @param d the dimension
     */
    public long step(int d) {
        return step[d];
    }

    /**
     * {@return the number of positions along a dimension}
     *
     * @param d the dimension
     */
    public long count(int d) {
        return count[d];
    }

    /**
     * {@return the distance of elements in the target along a dimension, in bytes}
     *
     * @param d the dimension
     */
    public long targetStride(int d) {
        return targetStride[d];
    }

    /** {@return where the first element goes, in bytes} */
    public long targetOffset() {
        return targetOffset;
    }

    /**
     * {@return this region with its dimensions in another order}
     *
     * @param order dimension {@code i} of the result is {@code order[i]} of this
     */
    public Region permuted(List<Integer> order) {
        return new Region(
                permuted(start, order),
                permuted(step, order),
                permuted(count, order),
                permuted(targetStride, order),
                targetOffset);
    }

    /**
     * {@return whether a region differs in nothing but where it begins, here and in the target}
     *
     * @param other the region
     */
    public boolean hasShapeOf(Region other) {
        return Arrays.equals(count, other.count)
                && Arrays.equals(step, other.step)
                && Arrays.equals(targetStride, other.targetStride);
    }

    /**
     * {@return the same positions, which go elsewhere}
     *
     * @param targetBytes how much further in the target, in bytes
     */
    Region moved(long targetBytes) {
        return new Region(start, step, count, targetStride, targetOffset + targetBytes);
    }

    /**
     * {@return the positions that lie in a chunk, counted from its origin}
     *
     * @param origin of the chunk, in elements
     * @param shape of the chunk, in which at least one position lies
     */
    Region inside(long[] origin, long[] shape) {
        long[] inStart = new long[start.length];
        long[] inCount = new long[start.length];
        long offset = targetOffset;
        for (int d = 0; d < start.length; d++) {
            long first = Math.max(0, steps(d, origin[d] - start[d]));
            long end = Math.min(count[d], steps(d, origin[d] + shape[d] - start[d]));
            inStart[d] = start[d] + first * step[d] - origin[d];
            inCount[d] = end - first;
            offset += first * targetStride[d];
        }
        return new Region(inStart, step, inCount, targetStride, offset);
    }

    /** How many positions it takes to come at least so far, in elements, from the first one. */
    private long steps(int d, long distance) {
        return step[d] == 1 ? distance : Math.ceilDiv(distance, step[d]);
    }

    private static long[] permuted(long[] values, List<Integer> order) {
        return order.stream().mapToLong(d -> values[d]).toArray();
    }
}
