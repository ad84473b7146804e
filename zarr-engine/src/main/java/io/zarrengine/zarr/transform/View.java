package io.zarrengine.zarr.transform;

import java.util.Arrays;
import java.util.List;

/**
 * The positions of results among other elements: result {@code p} is at {@code start + p * stride}
 * along each dimension. For one thread, while a kernel is made.
 */
final class View {
    long[] lengths;
    long[] starts;
    long[] strides;

    /** Views all elements; {@code strides} are the distances between neighbours. */
    View(long[] lengths, long[] strides) {
        this.lengths = lengths.clone();
        this.starts = new long[lengths.length];
        this.strides = strides.clone();
    }

    /** Applies a layout, except a permutation. */
    void apply(Step.Layout layout) {
        switch (layout) {
            case Step.Flip(int[] axes) -> {
                for (int axis : axes) {
                    starts[axis] += (lengths[axis] - 1) * strides[axis];
                    strides[axis] = -strides[axis];
                }
            }
            case Step.Stride(int[] factors) -> {
                for (int d = 0; d < factors.length; d++) {
                    lengths[d] = Math.ceilDiv(lengths[d], factors[d]);
                    strides[d] *= factors[d];
                }
            }
            case Step.Permute _ -> throw new AssertionError("was moved to the front");
        }
    }

    /** {@return whether dimensions {@code d} and {@code d + 1} are like one} */
    boolean isJoined(int d) {
        return strides[d] == strides[d + 1] * lengths[d + 1];
    }

    /** Makes one dimension of {@code d} and {@code d + 1}. */
    void join(int d) {
        lengths[d] *= lengths[d + 1];
        strides[d] = strides[d + 1];
        starts[d] += starts[d + 1];
        lengths = without(lengths, d + 1);
        strides = without(strides, d + 1);
        starts = without(starts, d + 1);
    }

    /** {@return this view as a level that computes some steps} */
    Program.Level level(int[] factors, PointwiseSteps computed) {
        List<Program.Operation> operations =
                computed.steps().stream()
                        .map(step ->
                                Program.Operation.of(step, computed.isExact(), lengths.length - 1))
                        .toList();
        return new Program.Level(starts, strides, factors, operations);
    }

    private static long[] without(long[] values, int index) {
        long[] shorter = Arrays.copyOf(values, values.length - 1);
        System.arraycopy(values, index + 1, shorter, index, shorter.length - index);
        return shorter;
    }
}
