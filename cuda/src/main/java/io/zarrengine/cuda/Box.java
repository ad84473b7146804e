package io.zarrengine.cuda;

import java.util.Objects;

/**
 * The elements of a piece, in the source and in the target. Equal pieces share one box, so that the
 * extent of its elements is computed once. Immutable; the arrays are not copied.
 */
public final class Box {
    /** The range of element offsets from the first element. */
    private record Reach(long lowest, long highest) {
        private static final Reach NONE = new Reach(0, 0);

        static Reach of(long[] shape, long[] strides) {
            long lowest = 0;
            long highest = 0;
            for (int i = 0; i < shape.length; i++) {
                long reach = Math.multiplyExact(shape[i] - 1, strides[i]);
                lowest = Math.addExact(lowest, Math.min(reach, 0));
                highest = Math.addExact(highest, Math.max(reach, 0));
            }
            return new Reach(lowest, highest);
        }

        /**
         * Returns the address of the first element, after checking that all elements lie inside the
         * memory.
         */
        long start(DeviceSlice memory, long first, int elementBytes) {
            Objects.checkFromToIndex(
                    Math.addExact(first, lowest),
                    Math.addExact(Math.addExact(first, highest), 1),
                    memory.byteSize() / elementBytes);
            return memory.address() + first * elementBytes;
        }
    }

    private final long[] shape;
    private final long[] sourceStrides;
    private final long[] targetStrides;
    private final boolean isEmpty;
    private final Reach inSource;
    private final Reach inTarget;

    /**
     * Creates a box, which takes ownership of its arrays.
     *
     * @param shape elements along each dimension, at most {@link PieceBatch#RANK_MAX} dimensions
     * @param sourceStrides distance between elements in the source, in elements; unused with a fill
     *     value
     * @param targetStrides distance between elements in the target, in elements
     * @throws IllegalArgumentException if there are too many dimensions, the number of strides
     *     differs, or a length is negative
     * @throws ArithmeticException if a distance between elements does not fit 63 bits
     */
    public Box(long[] shape, long[] sourceStrides, long[] targetStrides) {
        int rank = shape.length;
        if (rank > PieceBatch.RANK_MAX
                || sourceStrides.length != rank
                || targetStrides.length != rank) {
            throw new IllegalArgumentException(rank + " dimensions, or not as many strides");
        }
        boolean hasNone = false;
        for (long length : shape) {
            if (length < 0) {
                throw new IllegalArgumentException("a length of " + length);
            }
            hasNone |= length == 0;
        }
        this.shape = shape;
        this.sourceStrides = sourceStrides;
        this.targetStrides = targetStrides;
        isEmpty = hasNone;
        inSource = hasNone ? Reach.NONE : Reach.of(shape, sourceStrides);
        inTarget = hasNone ? Reach.NONE : Reach.of(shape, targetStrides);
    }

    /** {@return the number of elements along each dimension} */
    public long[] shape() {
        return shape;
    }

    /** {@return the distance between elements in the source, in elements} */
    public long[] sourceStrides() {
        return sourceStrides;
    }

    /** {@return the distance between elements in the target, in elements} */
    public long[] targetStrides() {
        return targetStrides;
    }

    /** {@return whether it has no elements} */
    boolean isEmpty() {
        return isEmpty;
    }

    /**
     * {@return the address of the first element in a source, after checking that all lie inside}
     */
    long sourceStart(DeviceSlice source, long first, int elementBytes) {
        return inSource.start(source, first, elementBytes);
    }

    /**
     * {@return the address of the first element in a target, after checking that all lie inside}
     */
    long targetStart(DeviceSlice target, long first, int elementBytes) {
        return inTarget.start(target, first, elementBytes);
    }
}
