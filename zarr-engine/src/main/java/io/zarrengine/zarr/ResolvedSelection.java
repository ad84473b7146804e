package io.zarrengine.zarr;

import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;

/**
 * A selection of one array: positions along each dimension, and the shape of the result.
 *
 * <p>Shape of the arrays: {@code (rank)}, in elements; a dimension that an index takes away has one
 * position and is not in {@link #resultShape}.
 */
final class ResolvedSelection {
    private final long[] start;
    private final long[] step;
    private final long[] count;
    private final long[] resultShape;

    private ResolvedSelection(Builder builder) {
        start = builder.start;
        step = builder.step;
        count = builder.count;
        resultShape = Arrays.copyOf(builder.kept, builder.keptCount);
    }

    /** {@return the shape of the result, without the dimensions that were indexed} */
    long[] resultShape() {
        return resultShape.clone();
    }

    /** {@return the size of the result in bytes, in C order} */
    long bytes(int elementBytes) {
        long bytes = elementBytes;
        for (long length : count) {
            bytes = Math.multiplyExact(bytes, length);
        }
        return bytes;
    }

    /** {@return the region that goes to the front of a target in C order} */
    Region region(int elementBytes) {
        long[] targetStride = new long[count.length];
        long stride = elementBytes;
        for (int d = count.length - 1; d >= 0; d--) {
            targetStride[d] = stride;
            stride *= count[d];
        }
        return new Region(start, step, count, targetStride, 0);
    }

    /** Takes one dimension after the other. */
    static final class Builder {
        private final long[] start;
        private final long[] step;
        private final long[] count;
        private final long[] kept;
        private int size;
        private int keptCount;

        Builder(int rank) {
            start = new long[rank];
            step = new long[rank];
            count = new long[rank];
            kept = new long[rank];
        }

        /** {@return how many dimensions there are so far} */
        int size() {
            return size;
        }

        void all(long length) {
            keep(0, 1, length);
        }

        void index(long at, long length) {
            long position = at < 0 ? at + length : at;
            if (position < 0 || position >= length) {
                throw new IndexOutOfBoundsException(
                        "index " + at + " of dimension " + size + ", which has length " + length);
            }
            add(position, 1, 1);
        }

        void box(long first, long positions, long distance, long length) {
            boolean inside =
                    positions == 0
                            ? first <= length
                            : first < length && (positions - 1) <= (length - 1 - first) / distance;
            if (!inside) {
                throw new IndexOutOfBoundsException(
                        positions
                                + " positions from "
                                + first
                                + " by "
                                + distance
                                + " reach outside dimension "
                                + size
                                + ", which has length "
                                + length);
            }
            keep(positions == 0 ? 0 : first, positions < 2 ? 1 : distance, positions);
        }

        /** As Python's {@code slice.indices}. */
        void slice(Long from, Long to, Long by, long length) {
            long distance = by == null ? 1 : by;
            if (distance < 1) {
                throw new IllegalArgumentException("step " + distance + " is not positive");
            }
            long first = from == null ? 0 : inside(from, length);
            long end = to == null ? length : inside(to, length);
            long positions = end <= first ? 0 : (end - first - 1) / distance + 1;
            // A single position has no distance; a large one would only overflow later.
            keep(positions == 0 ? 0 : first, positions < 2 ? 1 : distance, positions);
        }

        private static long inside(long at, long length) {
            return at < 0 ? Math.max(at + length, 0) : Math.min(at, length);
        }

        private void keep(long first, long distance, long positions) {
            kept[keptCount++] = positions;
            add(first, distance, positions);
        }

        private void add(long first, long distance, long positions) {
            start[size] = first;
            step[size] = distance;
            count[size++] = positions;
        }

        ResolvedSelection build() {
            return new ResolvedSelection(this);
        }
    }
}
