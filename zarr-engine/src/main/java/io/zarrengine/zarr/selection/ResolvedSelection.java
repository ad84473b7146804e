package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.OrthogonalPlan;
import io.zarrengine.zarr.plan.PointsPlan;
import io.zarrengine.zarr.plan.Region;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A selection of one array: positions along each dimension, or single points, and the shape of the
 * result.
 *
 * <p>Shape of the arrays: {@code (rank)}, in elements. A dimension that an index removes has one
 * position and is not in {@link #resultShape}.
 */
public final class ResolvedSelection {
    private final long[] shape; // of the array
    private final long[] start;
    private final long[] step; // negative if positions descend
    private final long[] count;
    private final long[][] listed; // positions; null if start, step and count define them
    // if true, the listed positions belong to points, not to dimensions
    private final boolean points;
    private final long[] resultShape;

    private ResolvedSelection(Builder builder, boolean points, long[] resultShape) {
        this.shape = builder.shape;
        this.start = builder.start;
        this.step = builder.step;
        this.count = builder.count;
        this.listed = builder.listed;
        this.points = points;
        this.resultShape = resultShape;
    }

    /**
     * {@return a selection of single elements}
     *
     * @param shape the array's shape
     * @param positions for each dimension, one for each point; the result takes ownership
     * @param count the number of points
     */
    public static ResolvedSelection ofPoints(long[] shape, long[][] positions, int count) {
        Builder builder = new Builder(shape.length);
        for (int d = 0; d < shape.length; d++) {
            builder.indexes(positions[d], shape[d]);
        }
        return new ResolvedSelection(builder, true, new long[] {count});
    }

    /**
     * {@return an index as a position; negative ones count from the end}
     *
     * @param at the index
     * @param dimension the dimension's number, for messages
     * @param length length of the dimension
     * @throws IndexOutOfBoundsException if the index is outside the dimension
     */
    public static long position(long at, int dimension, long length) {
        long position = at < 0 ? at + length : at;
        if (position < 0 || position >= length) {
            throw new IndexOutOfBoundsException(
                    "index "
                            + at
                            + " is outside dimension "
                            + dimension
                            + ", which has length "
                            + length);
        }
        return position;
    }

    /**
     * {@return the first position of a dimension without a list}
     *
     * @param d the dimension
     */
    public long start(int d) {
        return start[d];
    }

    /**
     * {@return the number of positions of a dimension}
     *
     * @param d the dimension
     */
    public long count(int d) {
        return count[d];
    }

    /** {@return the shape of the result, without the dimensions that an index removes} */
    public long[] resultShape() {
        return resultShape.clone();
    }

    /**
     * {@return the size of the result in bytes, in C order}
     *
     * @param elementBytes size of an element
     * @throws IllegalArgumentException if the size does not fit in 63 bits
     */
    public long bytes(int elementBytes) {
        try {
            long bytes = elementBytes;
            for (long length : resultShape) {
                bytes = Math.multiplyExact(bytes, length);
            }
            return bytes;
        } catch (ArithmeticException e) { // The size is still valid if a later length is 0.
            return bytesOfMany(elementBytes);
        }
    }

    private long bytesOfMany(int elementBytes) {
        BigInteger elements = BigInteger.ONE;
        for (long length : resultShape) {
            elements = elements.multiply(BigInteger.valueOf(length));
        }
        BigInteger bytes = elements.multiply(BigInteger.valueOf(elementBytes));
        if (bytes.bitLength() >= Long.SIZE) {
            throw new IllegalArgumentException(
                    "the selection has "
                            + elements
                            + " elements of "
                            + elementBytes
                            + " bytes, which do not fit in 63 bits: read smaller parts");
        }
        return bytes.longValue();
    }

    /**
     * {@return the touched chunks and the selected parts of each; elements go to the front of a
     * target, in C order}
     *
     * @param elementBytes size of an element
     * @param grid the array's chunk grid
     */
    public ChunkPlan plan(int elementBytes, ChunkGrid grid) {
        if (points) {
            int number = Math.toIntExact(resultShape[0]);
            return new PointsPlan(listed, number, elementBytes, shape, grid);
        }
        if (isListed() && !isEmpty()) {
            return new OrthogonalPlan(region(elementBytes), listed, grid);
        }
        return new GridPlan(region(elementBytes), grid);
    }

    /** {@return whether the positions are at equal distances along each dimension} */
    boolean isBox() {
        return !points && !isListed();
    }

    private boolean isListed() {
        for (long[] positions : listed) {
            if (positions != null) {
                return true;
            }
        }
        return false;
    }

    private boolean isEmpty() {
        for (long length : resultShape) {
            if (length == 0) {
                return true;
            }
        }
        return false;
    }

    private long[] targetStride(int elementBytes) {
        long[] stride = new long[count.length];
        long bytes = elementBytes;
        for (int d = count.length - 1; d >= 0; d--) {
            stride[d] = bytes;
            bytes *= count[d];
        }
        return stride;
    }

    /**
     * {@return the box of the positions; along a descending dimension the last position comes
     * first, and its element goes to the end}
     *
     * @param elementBytes size of an element
     */
    public Region region(int elementBytes) {
        long[] stride = targetStride(elementBytes);
        long[] first = start.clone();
        long[] distance = step.clone();
        long offset = 0;
        for (int d = 0; d < first.length; d++) {
            if (distance[d] < 0) {
                first[d] += (count[d] - 1) * distance[d];
                distance[d] = -distance[d];
                offset += (count[d] - 1) * stride[d];
                stride[d] = -stride[d];
            }
        }
        return new Region(first, distance, count, stride, offset);
    }

    /** Builds a selection one dimension at a time. */
    public static final class Builder {
        private final long[] shape;
        private final long[] start;
        private final long[] step;
        private final long[] count;
        private final long[][] listed;
        private final long[] kept;
        private int size;
        private int keptCount;

        /**
         * Creates a builder without dimensions.
         *
         * @param rank the number of dimensions to add
         */
        public Builder(int rank) {
            shape = new long[rank];
            start = new long[rank];
            step = new long[rank];
            count = new long[rank];
            listed = new long[rank][];
            kept = new long[rank];
        }

        /** {@return the number of dimensions added so far} */
        public int size() {
            return size;
        }

        /**
         * Adds a dimension, with all positions.
         *
         * @param length length of the dimension
         */
        public void all(long length) {
            keep(0, 1, length, length);
        }

        /**
         * Adds a dimension that the result does not have.
         *
         * @param at its one position; negative ones count from the end
         * @param length length of the dimension
         */
        public void index(long at, long length) {
            add(position(at, size, length), 1, 1, length);
        }

        /**
         * Adds a dimension, with listed positions.
         *
         * @param positions the positions; negative ones count from the end
         * @param length length of the dimension
         */
        public void indexes(long[] positions, long length) {
            long[] checked = new long[positions.length];
            for (int i = 0; i < checked.length; i++) {
                checked[i] = position(positions[i], size, length);
            }
            listed[size] = checked;
            keep(0, 1, checked.length, length);
        }

        /**
         * Adds a dimension, with positions that must all lie in it.
         *
         * @param first the first position
         * @param positions the number of positions
         * @param distance distance between positions, {@code > 0}
         * @param length length of the dimension
         */
        public void box(long first, long positions, long distance, long length) {
            boolean inside =
                    positions == 0
                            ? first <= length
                            : first < length && (positions - 1) <= (length - 1 - first) / distance;
            if (!inside) {
                throw new IndexOutOfBoundsException(
                        "a box of length "
                                + positions
                                + (distance == 1 ? "" : " and step " + distance)
                                + " at "
                                + first
                                + " reaches beyond the end of dimension "
                                + size
                                + ", which has length "
                                + length);
            }
            keep(first, distance, positions, length);
        }

        /**
         * Adds a dimension, with the positions of Python's {@code slice.indices}.
         *
         * @param from the first position, or null
         * @param to the position after the last one, or null
         * @param by the distance between positions, or null
         * @param length length of the dimension
         */
        public void slice(Long from, Long to, Long by, long length) {
            long distance = by == null ? 1 : Math.max(by, -Long.MAX_VALUE);
            if (distance == 0) {
                throw new IllegalArgumentException("the step of dimension " + size + " is 0");
            }
            if (distance > 0) {
                long first = from == null ? 0 : inside(from, 0, length);
                long end = to == null ? length : inside(to, 0, length);
                long positions = end <= first ? 0 : (end - first - 1) / distance + 1;
                keep(first, distance, positions, length);
            } else {
                long first = from == null ? length - 1 : inside(from, -1, length - 1);
                long end = to == null ? -1 : inside(to, -1, length - 1);
                long positions = first <= end ? 0 : (first - end - 1) / -distance + 1;
                keep(first, distance, positions, length);
            }
        }

        private static long inside(long at, long min, long max) {
            return at < 0 ? Math.max(at + lengthOf(min, max), min) : Math.min(at, max);
        }

        private static long lengthOf(long min, long max) {
            return max - min; // from 0 to the length, or from -1 to the length - 1
        }

        /**
         * Stores a distance of 1 for a single position, because a large one would overflow later.
         */
        private void keep(long first, long distance, long positions, long length) {
            kept[keptCount++] = positions;
            add(positions == 0 ? 0 : first, positions < 2 ? 1 : distance, positions, length);
        }

        private void add(long first, long distance, long positions, long length) {
            shape[size] = length;
            start[size] = first;
            step[size] = distance;
            count[size++] = positions;
        }

        /** {@return the selection, after all dimensions were added} */
        public ResolvedSelection build() {
            return new ResolvedSelection(this, false, Arrays.copyOf(kept, keptCount));
        }
    }
}
