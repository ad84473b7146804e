package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkEdges;
import java.util.Arrays;
import java.util.List;

/**
 * Positions in an array or a chunk, and the target offset of each. Along dimension {@code d} the
 * positions are {@code start[d] + i * step[d]} for {@code 0 <= i < count[d]}; position {@code i}
 * goes to byte {@code targetOffset + sum of i * targetStride[d]}.
 *
 * <p>Immutable, except for the regions of a {@link PieceCursor}. The arrays are not copied. Shape
 * of each array: {@code (rank)}.
 */
public final class Region {
    final long[] start; // in elements
    long[] step; // in elements, > 0
    final long[] count; // positions, >= 0
    long[] targetStride; // in bytes; negative if a dimension is reversed
    long targetOffset; // in bytes

    /**
     * Creates a region that takes ownership of the arrays.
     *
     * @param start first position along each dimension
     * @param step distance of positions, {@code > 0}
     * @param count number of positions, {@code >= 0}
     * @param targetStride distance of elements in the target, in bytes
     * @param targetOffset target offset of the first element, in bytes
     */
    public Region(long[] start, long[] step, long[] count, long[] targetStride, long targetOffset) {
        this.start = start;
        this.step = step;
        this.count = count;
        this.targetStride = targetStride;
        this.targetOffset = targetOffset;
    }

    /** {@return a region of zeros, to set later} */
    static Region ofRank(int rank) {
        return new Region(new long[rank], new long[rank], new long[rank], new long[rank], 0);
    }

    /**
     * {@return all of a chunk, in C order in the target}
     *
     * @param shape shape of the chunk
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

    /** {@return the target offset of the first element, in bytes} */
    public long targetOffset() {
        return targetOffset;
    }

    /**
     * {@return this region with its dimensions in another order}
     *
     * @param order dimension {@code i} of the result is {@code order[i]} of this
     */
    public Region permuted(List<Integer> order) {
        Region permuted = ofRank(rank());
        permuted.setPermuted(this, order);
        return permuted;
    }

    /**
     * Sets this region to another one with its dimensions in another order. The arrays stay its
     * own.
     */
    void setPermuted(Region other, List<Integer> order) {
        for (int d = 0; d < start.length; d++) {
            int from = order.get(d);
            start[d] = other.start[from];
            step[d] = other.step[from];
            count[d] = other.count[from];
            targetStride[d] = other.targetStride[from];
        }
        targetOffset = other.targetOffset;
    }

    /** {@return a copy with its own arrays} */
    Region copy() {
        return new Region(
                start.clone(), step.clone(), count.clone(), targetStride.clone(), targetOffset);
    }

    /**
     * {@return the number of chunks that hold a position}
     *
     * @param edges the chunk edges along each dimension
     */
    public long chunks(List<ChunkEdges> edges) {
        if (elements() == 0) {
            return 0;
        }
        long chunks = 1;
        for (int d = 0; d < start.length; d++) {
            chunks *= cut(d, edges).cuts(); // At most the elements of the region: 63 bits.
        }
        return chunks;
    }

    /** {@return the cuts of each dimension along its chunks; requires at least one position} */
    DimensionCut[] cuts(List<ChunkEdges> edges) {
        DimensionCut[] cuts = new DimensionCut[start.length];
        for (int d = 0; d < cuts.length; d++) {
            cuts[d] = cut(d, edges);
        }
        return cuts;
    }

    private DimensionCut cut(int d, List<ChunkEdges> edges) {
        return DimensionCut.of(start[d], step[d], count[d], edges.get(d));
    }

    /**
     * {@return a moved copy of this region that uses the arrays of another one where they are
     * equal}
     *
     * @param other a region of the same rank
     * @param targetBytes the distance to move the elements in the target, in bytes
     */
    public Region sharing(Region other, long targetBytes) {
        return new Region(
                start,
                Arrays.equals(step, other.step) ? other.step : step,
                Arrays.equals(count, other.count) ? other.count : count,
                Arrays.equals(targetStride, other.targetStride) ? other.targetStride : targetStride,
                targetOffset + targetBytes);
    }

    /**
     * {@return whether two regions differ only in their first position and their target offset}
     *
     * @param other the region
     */
    public boolean hasShapeOf(Region other) {
        return Arrays.equals(count, other.count)
                && Arrays.equals(step, other.step)
                && Arrays.equals(targetStride, other.targetStride);
    }

    /**
     * {@return the same positions, with their elements moved in the target}
     *
     * @param targetBytes the distance to move them, in bytes
     */
    Region moved(long targetBytes) {
        return new Region(start, step, count, targetStride, targetOffset + targetBytes);
    }

    /**
     * {@return the positions that lie in a chunk, relative to its origin}
     *
     * @param origin origin of the chunk, in elements
     * @param shape shape of the chunk; at least one position must lie in it
     */
    Region inside(long[] origin, long[] shape) {
        long[] newStart = new long[start.length];
        Region inside = new Region(newStart, step, new long[start.length], targetStride, 0);
        inside.setInside(this, origin, shape);
        return inside;
    }

    /** Sets this region to the part of another one in a chunk, as {@link #inside} returns it. */
    void setInside(Region whole, long[] origin, long[] shape) {
        step = whole.step;
        targetStride = whole.targetStride;
        targetOffset = whole.targetOffset;
        for (int d = 0; d < start.length; d++) {
            long first = Math.max(0, whole.steps(d, origin[d] - whole.start[d]));
            long distance = origin[d] - whole.start[d];
            // The chunk ends after all positions.
            boolean isLast = distance > Long.MAX_VALUE - shape[d];
            long toEnd = isLast ? Long.MAX_VALUE : distance + shape[d];
            long end = Math.min(whole.count[d], whole.steps(d, toEnd));
            start[d] = whole.start[d] + first * step[d] - origin[d];
            count[d] = end - first;
            targetOffset += first * targetStride[d];
        }
    }

    /** The number of steps from the first position until at least {@code distance} elements. */
    private long steps(int d, long distance) {
        return step[d] == 1 ? distance : Math.ceilDiv(distance, step[d]);
    }
}
