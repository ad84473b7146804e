package io.zarrengine.cuda;

import java.util.Objects;

/**
 * The elements of a piece, in the source and in the target. One is made for all pieces that are
 * alike: how far its elements reach is reckoned once. Immutable; the arrays are not copied.
 */
public final class Box {
    /** How far elements lie from the first one, in elements. */
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

        /** The address of the first element, after a check that all lie inside. */
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
     * Creates a box; its arrays belong to it from now on.
     *
     * @param shape elements along each dimension, at most {@link PieceBatch#RANK_MAX} dimensions
     * @param sourceStrides from one element to the next in the source; with a fill value unused
     * @param targetStrides the same in the target
     * @throws IllegalArgumentException if there are too many dimensions, not as many strides, or a
     *     length is negative
     * @throws ArithmeticException if elements lie further apart than 63 bits say
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

    /** {@return elements along each dimension} */
    public long[] shape() {
        return shape;
    }

    /** {@return from one element to the next in the source, in elements} */
    public long[] sourceStrides() {
        return sourceStrides;
    }

    /** {@return from one element to the next in the target, in elements} */
    public long[] targetStrides() {
        return targetStrides;
    }

    /** {@return whether it has no elements} */
    boolean isEmpty() {
        return isEmpty;
    }

    /** {@return the address of the first element in a source, after a check that all lie inside} */
    long sourceStart(DeviceSlice source, long first, int elementBytes) {
        return inSource.start(source, first, elementBytes);
    }

    /** {@return the address of the first element in a target, after a check that all lie inside} */
    long targetStart(DeviceSlice target, long first, int elementBytes) {
        return inTarget.start(target, first, elementBytes);
    }
}
