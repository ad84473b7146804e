package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import java.util.Arrays;

/** A step of a transform, with checked parameters. Immutable. */
sealed interface Step {
    /** Computes each number by itself. */
    sealed interface Pointwise extends Step {}

    /** Selects and orders elements along each dimension. */
    sealed interface Layout extends Step {}

    /** A number becomes NaN. */
    record Missing(double value) implements Pointwise {}

    /** {@code x * factor + offset}. */
    record Scale(double factor, double offset) implements Pointwise {}

    /** {@code (x - mean) / deviation}, with the numbers of the position along an axis. */
    record Normalize(int axis, double[] means, double[] deviations) implements Pointwise {}

    /** Not less than {@code low}, not more than {@code high}; NaN stays. */
    record Clip(double low, double high) implements Pointwise {}

    /** The natural logarithm of {@code 1 + x}. */
    record Log1p() implements Pointwise {}

    /** 1 if the number is NaN, otherwise 0. */
    record IsMissing() implements Pointwise {}

    /** The mean of each box of {@code factors} elements. */
    record Mean(int[] factors) implements Step {}

    /** Every {@code factors}-th element. */
    record Stride(int[] factors) implements Layout {}

    /** Reverses some dimensions. */
    record Flip(int[] axes) implements Layout {}

    /** Dimension {@code d} of the result is dimension {@code axes[d]}. */
    record Permute(int[] axes) implements Layout {}

    /** Another type. The last step. */
    record Cast(NumericType type, Overflow overflow) implements Step {}

    /**
     * {@return the shape after the step}
     *
     * @throws IllegalArgumentException if the step does not fit the shape
     */
    default long[] shapeAfter(long[] shape) {
        return switch (this) {
            case Normalize(int axis, double[] means, _) -> {
                if (means.length > 1 && (axis >= shape.length || shape[axis] != means.length)) {
                    throw refused("normalize", means.length + " means along axis " + axis, shape);
                }
                yield shape;
            }
            case Mean(int[] factors) -> {
                for (int d = 0; d < shape.length; d++) {
                    if (factors.length != shape.length || shape[d] % factors[d] != 0) {
                        throw refused("mean", "boxes of " + Arrays.toString(factors), shape);
                    }
                }
                yield divided(shape, factors);
            }
            case Stride(int[] factors) -> {
                if (factors.length != shape.length) {
                    throw refused("stride", Arrays.toString(factors), shape);
                }
                yield divided(shape, factors);
            }
            case Flip(int[] axes) -> {
                if (Arrays.stream(axes).anyMatch(axis -> axis >= shape.length)) {
                    throw refused("flip", Arrays.toString(axes), shape);
                }
                yield shape;
            }
            case Permute(int[] axes) -> {
                if (axes.length != shape.length) {
                    throw refused("permute", Arrays.toString(axes), shape);
                }
                yield Arrays.stream(axes).mapToLong(axis -> shape[axis]).toArray();
            }
            case Missing _, Scale _, Clip _, Log1p _, IsMissing _, Cast _ -> shape;
        };
    }

    private static long[] divided(long[] shape, int[] factors) {
        long[] result = new long[shape.length];
        Arrays.setAll(result, d -> Math.ceilDiv(shape[d], factors[d]));
        return result;
    }

    private static IllegalArgumentException refused(String step, String found, long[] shape) {
        return new IllegalArgumentException(
                "the step " + step + " of " + found + " does not fit " + Arrays.toString(shape));
    }

    /** {@return this step for dimensions that were permuted before it} */
    default Step permuted(int[] axes) {
        return switch (this) {
            case Normalize(int axis, double[] means, double[] deviations) ->
                    new Normalize(placeOf(axis, axes), means, deviations);
            case Mean(int[] factors) -> new Mean(permuted(factors, axes));
            case Stride(int[] factors) -> new Stride(permuted(factors, axes));
            case Flip(int[] flipped) ->
                    new Flip(Arrays.stream(flipped).map(axis -> placeOf(axis, axes)).toArray());
            case Missing _, Scale _, Clip _, Log1p _, IsMissing _, Permute _, Cast _ -> this;
        };
    }

    private static int placeOf(int axis, int[] axes) {
        for (int d = 0; d < axes.length; d++) {
            if (axes[d] == axis) {
                return d;
            }
        }
        return axis; // of a single mean, which has no axis
    }

    private static int[] permuted(int[] values, int[] axes) {
        return Arrays.stream(axes).map(axis -> values[axis]).toArray();
    }
}
