package io.zarrengine.zarr.transform;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * The slow twin of a kernel: each step makes a new array, element by element, in float64.
 *
 * @param shape of the elements
 * @param values in C order
 */
record ReferenceTransform(long[] shape, double[] values) {
    ReferenceTransform after(Transform transform) {
        ReferenceTransform result = this;
        for (Step step : transform.steps()) {
            result = result.after(step);
        }
        return result;
    }

    private ReferenceTransform after(Step step) {
        long[] next = step.shapeAfter(shape);
        return switch (step) {
            case Step.Missing(double value) -> each(x -> x == value ? Double.NaN : x);
            case Step.Scale(double factor, double offset) -> each(x -> x * factor + offset);
            case Step.Clip(double low, double high) ->
                    each(x -> Double.isNaN(x) ? x : x < low ? low : x > high ? high : x);
            case Step.Log1p() -> each(StrictMath::log1p);
            case Step.IsMissing() -> each(x -> Double.isNaN(x) ? 1 : 0);
            case Step.Normalize(int axis, double[] means, double[] deviations) ->
                    at(
                            next,
                            position -> position,
                            (position, x) -> {
                                int channel = means.length == 1 ? 0 : (int) position[axis];
                                return (x - means[channel]) / deviations[channel];
                            });
            case Step.Stride(int[] factors) ->
                    moved(
                            next,
                            position -> {
                                Arrays.setAll(position, d -> position[d] * factors[d]);
                                return position;
                            });
            case Step.Flip(int[] axes) ->
                    moved(
                            next,
                            position -> {
                                for (int axis : axes) {
                                    position[axis] = shape[axis] - 1 - position[axis];
                                }
                                return position;
                            });
            case Step.Permute(int[] axes) ->
                    moved(
                            next,
                            position -> {
                                long[] from = new long[axes.length];
                                for (int d = 0; d < axes.length; d++) {
                                    from[axes[d]] = position[d];
                                }
                                return from;
                            });
            case Step.Mean(int[] factors) -> mean(next, factors);
            case Step.Cast _ -> this;
        };
    }

    private ReferenceTransform each(DoubleUnaryOperator step) {
        return new ReferenceTransform(shape, Arrays.stream(values).map(step).toArray());
    }

    private interface AtPosition {
        double apply(long[] position, double value);
    }

    private ReferenceTransform moved(long[] next, UnaryOperator<long[]> from) {
        return at(next, from, (_, x) -> x);
    }

    private ReferenceTransform at(long[] next, UnaryOperator<long[]> from, AtPosition step) {
        double[] results = new double[count(next)];
        for (int i = 0; i < results.length; i++) {
            long[] position = position(i, next);
            double value = values[index(from.apply(position.clone()), shape)];
            results[i] = step.apply(position, value);
        }
        return new ReferenceTransform(next, results);
    }

    private ReferenceTransform mean(long[] next, int[] factors) {
        double[] results = new double[count(next)];
        long[] box = Arrays.stream(factors).asLongStream().toArray();
        int inRow = factors.length == 0 ? 1 : factors[factors.length - 1];
        for (int i = 0; i < results.length; i++) {
            double sum = 0;
            double row = 0;
            for (int k = 0; k < count(box); k++) {
                long[] in = position(k, box);
                long[] position = position(i, next);
                Arrays.setAll(position, d -> position[d] * factors[d] + in[d]);
                double value = values[index(position, shape)];
                row = k % inRow == 0 ? value : row + value;
                sum += k % inRow == inRow - 1 ? row : 0;
            }
            results[i] = sum / count(box);
        }
        return new ReferenceTransform(next, results);
    }

    static int count(long[] shape) {
        return (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    private static long[] position(long index, long[] shape) {
        long[] position = new long[shape.length];
        long rest = index;
        for (int d = shape.length - 1; d >= 0; d--) {
            position[d] = rest % shape[d];
            rest /= shape[d];
        }
        return position;
    }

    private static int index(long[] position, long[] shape) {
        long index = 0;
        for (int d = 0; d < shape.length; d++) {
            index = index * shape[d] + position[d];
        }
        return (int) index;
    }
}
