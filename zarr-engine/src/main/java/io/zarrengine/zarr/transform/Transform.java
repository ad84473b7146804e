package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Steps that compute a sample from the elements that were read. Immutable: each method returns a
 * longer transform.
 *
 * <pre>{@code
 * Transform input =
 *         Transform.cf(t2m.metadata()) // packed numbers to kelvin, missing ones to NaN
 *                 .normalize(278.5, 21.2)
 *                 .mean(1, 2, 2)
 *                 .cast(NumericType.BFLOAT16);
 * }</pre>
 *
 * <p>Numbers are computed in float64 and rounded once, to the type of the result: to the nearest,
 * ties to even. The result has the type of {@link #cast}; without it float32, or the type of the
 * elements if the steps only move them. Parameters are checked at once, the shape and the type of
 * the samples when a loader opens. Axes and factors are those of a sample, without the dimension of
 * the batch.
 */
public final class Transform {
    private static final Set<NumericType> RESULTS =
            EnumSet.of(
                    NumericType.BOOL,
                    NumericType.INT8,
                    NumericType.INT16,
                    NumericType.INT32,
                    NumericType.INT64,
                    NumericType.UINT8,
                    NumericType.UINT16,
                    NumericType.UINT32,
                    NumericType.UINT64,
                    NumericType.BFLOAT16,
                    NumericType.FLOAT16,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64);

    private static final Transform IDENTITY = new Transform(List.of());

    private final List<Step> steps;

    private Transform(List<Step> steps) {
        this.steps = steps;
    }

    /** {@return the transform without a step} */
    public static Transform identity() {
        return IDENTITY;
    }

    /**
     * {@return the transform that an array's attributes ask for: {@code missing_value} and {@code
     * _FillValue} become NaN, then {@code scale_factor} and {@code add_offset} apply}
     *
     * @param metadata of the array
     * @throws IllegalArgumentException if one of them is not a number
     * @see <a
     *     href="https://cfconventions.org/Data/cf-conventions/cf-conventions-1.12/cf-conventions.html#packed-data">
     *     CF conventions, packed data</a>
     */
    public static Transform cf(ArrayMetadata metadata) {
        return CfAttributes.transform(metadata.attributes());
    }

    /**
     * {@return the transform that {@link #toJson} wrote}
     *
     * @param json the text
     * @throws FormatException if it is no such transform; the message names the step
     */
    public static Transform parse(String json) {
        return TransformJson.parse(json);
    }

    /** {@return this transform as JSON, e.g. to keep it beside a run} */
    public String toJson() {
        return TransformJson.write(steps);
    }

    List<Step> steps() {
        return steps;
    }

    private Transform then(Step step) {
        if (!steps.isEmpty() && steps.getLast() instanceof Step.Cast) {
            throw new IllegalArgumentException("a cast is the last step");
        }
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new Transform(List.copyOf(longer));
    }

    /**
     * {@return this, then: a number becomes NaN} A value of a float array is rounded to its type
     * first.
     *
     * @param value the number that marks missing elements
     */
    public Transform missing(double value) {
        return then(new Step.Missing(value));
    }

    /**
     * {@return this, then {@code x * factor + offset}}
     *
     * @param factor finite
     * @param offset finite
     */
    public Transform scale(double factor, double offset) {
        refuseInfinite("factor", factor);
        refuseInfinite("offset", offset);
        return then(new Step.Scale(factor, offset));
    }

    /**
     * {@return this, then {@code (x - mean) / deviation}}
     *
     * @param mean finite
     * @param deviation finite, not 0
     */
    public Transform normalize(double mean, double deviation) {
        return normalize(0, new double[] {mean}, new double[] {deviation});
    }

    /**
     * {@return this, then {@code (x - mean) / deviation}, with numbers for each channel}
     *
     * @param axis the axis of the channels, from 0
     * @param means finite, one for each channel
     * @param deviations finite, not 0, one for each channel
     */
    public Transform normalize(int axis, double[] means, double[] deviations) {
        if (axis < 0 || means.length == 0 || means.length != deviations.length) {
            throw new IllegalArgumentException(
                    "axis %d, %d means and %d deviations"
                            .formatted(axis, means.length, deviations.length));
        }
        for (int i = 0; i < means.length; i++) {
            refuseInfinite("mean", means[i]);
            refuseInfinite("deviation", deviations[i]);
            if (deviations[i] == 0) {
                throw new IllegalArgumentException("deviation " + i + " is 0");
            }
        }
        return then(new Step.Normalize(axis, means.clone(), deviations.clone()));
    }

    private static void refuseInfinite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("the " + name + " is " + value);
        }
    }

    /**
     * {@return this, then: not less than {@code low}, not more than {@code high}; NaN stays}
     *
     * @param low the least number, or negative infinity
     * @param high the greatest number, or infinity
     */
    public Transform clip(double low, double high) {
        if (!(low <= high)) {
            throw new IllegalArgumentException("clip from " + low + " to " + high);
        }
        return then(new Step.Clip(low, high));
    }

    /** {@return this, then the natural logarithm of {@code 1 + x}} */
    public Transform log1p() {
        return then(new Step.Log1p());
    }

    /** {@return this, then 1 for NaN and 0 for other numbers: the mask of missing values} */
    public Transform isMissing() {
        return then(new Step.IsMissing());
    }

    /**
     * {@return this, then the mean of each box; NaN if the box has a NaN}
     *
     * @param factors the length of a box along each axis; each divides the sample's
     */
    public Transform mean(int... factors) {
        refuseNotPositive(factors);
        return then(new Step.Mean(factors.clone()));
    }

    /**
     * {@return this, then every {@code factor}-th element along each axis, from the first on}
     *
     * @param factors one for each axis
     */
    public Transform stride(int... factors) {
        refuseNotPositive(factors);
        return then(new Step.Stride(factors.clone()));
    }

    private static void refuseNotPositive(int... factors) {
        if (Arrays.stream(factors).anyMatch(factor -> factor < 1)) {
            throw new IllegalArgumentException("factors of " + Arrays.toString(factors));
        }
    }

    /**
     * {@return this, then some axes reversed}
     *
     * @param axes from 0, each once
     */
    public Transform flip(int... axes) {
        boolean fits = Arrays.stream(axes).allMatch(axis -> axis >= 0);
        if (!fits || Arrays.stream(axes).distinct().count() != axes.length) {
            throw new IllegalArgumentException("a flip of the axes " + Arrays.toString(axes));
        }
        return then(new Step.Flip(axes.clone()));
    }

    /**
     * {@return this, then the axes in another order, e.g. {@code permute(2, 0, 1)} from (height,
     * width, channels) to (channels, height, width)}
     *
     * @param axes for each axis of the result, that of the sample
     */
    public Transform permute(int... axes) {
        int[] sorted = axes.clone();
        Arrays.sort(sorted);
        for (int d = 0; d < sorted.length; d++) {
            if (sorted[d] != d) {
                throw new IllegalArgumentException(
                        Arrays.toString(axes) + " is no order of " + axes.length + " axes");
            }
        }
        return then(new Step.Permute(axes.clone()));
    }

    /**
     * {@return this, then another type; integers beyond the range are clamped}
     *
     * @param type the type of the result
     */
    public Transform cast(NumericType type) {
        return cast(type, Overflow.CLAMP);
    }

    /**
     * {@return this, then another type: the last step} A number becomes the nearest integer, ties
     * to even; a bool is true unless the number is 0; a float beyond the range is infinite. A
     * result of 16 bits is rounded to float32 before.
     *
     * @param type bool, int8 to int64, uint8 to uint64, bfloat16, float16, float32 or float64
     * @param overflow what happens to integers beyond the range
     */
    public Transform cast(NumericType type, Overflow overflow) {
        if (!RESULTS.contains(type)) {
            throw new IllegalArgumentException("no cast to " + type.typeName());
        }
        return then(new Step.Cast(type, overflow));
    }

    /**
     * {@return the type of the result}
     *
     * @param type of the elements that are read
     * @throws IllegalArgumentException if they are complex, or keep a type that no result has
     */
    public NumericType typeAfter(NumericType type) {
        if (type.kind() == NumericType.Kind.COMPLEX) {
            throw new IllegalArgumentException("no transform of " + type.typeName());
        }
        if (!steps.isEmpty() && steps.getLast() instanceof Step.Cast(NumericType last, _)) {
            return last;
        }
        if (!steps.stream().allMatch(Step.Layout.class::isInstance)) {
            return NumericType.FLOAT32;
        }
        if (!RESULTS.contains(type)) {
            throw new IllegalArgumentException("elements of " + type.typeName() + " need a cast");
        }
        return type;
    }

    /**
     * {@return the shape of the result}
     *
     * @param shape of a sample that is read
     * @throws IllegalArgumentException if a step does not fit it; the message names the step
     */
    public long[] shapeAfter(long[] shape) {
        long[] after = shape.clone();
        for (Step step : steps) {
            after = step.shapeAfter(after);
        }
        return after;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Transform that && toJson().equals(that.toJson());
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return toJson();
    }
}
