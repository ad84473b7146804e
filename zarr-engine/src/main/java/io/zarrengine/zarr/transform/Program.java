package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import java.util.Arrays;
import java.util.List;

/**
 * The computation of a {@link Kernel}, as data for the kernel of a device.
 *
 * @param source type of the elements of a sample
 * @param result type of the results
 * @param overflow what happens to integers beyond the range of the result
 * @param isWhole whether integers become integers without going through float64; then there is one
 *     level, which computes nothing
 * @param shape of the result, with neighbouring dimensions joined; at least one dimension
 * @param levels the first one shows the sample, each further one boxes of the one before
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Program(
        NumericType source,
        NumericType result,
        Overflow overflow,
        boolean isWhole,
        long[] shape,
        List<Level> levels) {
    /**
     * Numbers by position, and what is computed of each. Position {@code p} along dimension {@code
     * d} shows {@code starts[d] + p * strides[d]}: of the first level, a distance in elements of
     * the sample; of the others, a position of the level before, where a box begins.
     *
     * @param starts for each dimension
     * @param strides for each dimension
     * @param factors lengths of the boxes whose means are shown; empty in the first level
     * @param operations in their order
     */
    public record Level(long[] starts, long[] strides, int[] factors, List<Operation> operations) {}

    /** The function of {@code x} that an {@link Operation} computes. */
    public enum Code {
        /** NaN if {@code x} is {@code first}. */
        MISSING,
        /** {@code x * first + second}, rounded twice. */
        SCALE,
        /** {@code (x - first) / second}, with the numbers of a channel. */
        NORMALIZE,
        /** {@code (x - first) * second}, with the numbers of a channel. */
        NORMALIZE_BY_INVERSE,
        /** Not less than {@code first}, not more than {@code second}. */
        CLIP,
        /** The natural logarithm of {@code 1 + x}. */
        LOG1P,
        /** 1 if {@code x} is NaN, otherwise 0. */
        IS_MISSING
    }

    /**
     * Computes a number from another one.
     *
     * @param code what it computes
     * @param axis the dimension of the channels
     * @param first for each channel; one number if all have the same
     * @param second as many
     */
    public record Operation(Code code, int axis, double[] first, double[] second) {
        /**
         * {@code isExact}: as in {@link PointwiseSteps}, which divides along the last axis always.
         */
        static Operation of(Step.Pointwise step, boolean isExact, int lastAxis) {
            return switch (step) {
                case Step.Missing(double value) -> of(Code.MISSING, value, 0);
                case Step.Scale(double factor, double offset) -> of(Code.SCALE, factor, offset);
                case Step.Normalize(int axis, double[] means, double[] deviations) ->
                        normalize(
                                axis,
                                means,
                                deviations,
                                isExact || (means.length > 1 && axis == lastAxis));
                case Step.Clip(double low, double high) -> of(Code.CLIP, low, high);
                case Step.Log1p() -> of(Code.LOG1P, 0, 0);
                case Step.IsMissing() -> of(Code.IS_MISSING, 0, 0);
            };
        }

        private static Operation normalize(
                int axis, double[] means, double[] deviations, boolean divides) {
            double[] inverses = Arrays.stream(deviations).map(x -> 1 / x).toArray();
            return divides || !Arrays.stream(inverses).allMatch(Double::isFinite)
                    ? new Operation(Code.NORMALIZE, axis, means, deviations)
                    : new Operation(Code.NORMALIZE_BY_INVERSE, axis, means, inverses);
        }

        private static Operation of(Code code, double first, double second) {
            return new Operation(code, 0, new double[] {first}, new double[] {second});
        }
    }
}
