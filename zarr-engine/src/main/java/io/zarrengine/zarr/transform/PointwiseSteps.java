package io.zarrengine.zarr.transform;

import java.util.List;

/**
 * Steps that compute each number of a row by itself. Each loop is a method of its own, so that the
 * compiler vectorizes it.
 *
 * @param steps with axes of the rows
 * @param isExact whether each step is rounded correctly; otherwise its relative error may be
 *     2<sup>-40</sup>, which a result of at most 32 bits does not show
 * @param fastLog1p computes logarithms that need not be exact
 */
record PointwiseSteps(List<Step.Pointwise> steps, boolean isExact, FastLog1p fastLog1p) {
    PointwiseSteps(List<Step.Pointwise> steps, boolean isExact) {
        this(steps, isExact, new FastLog1p());
    }

    void apply(long[] position, long from, double[] values, int count) {
        for (Step.Pointwise step : steps) {
            switch (step) {
                case Step.Missing(double value) -> missing(values, count, value);
                case Step.Scale(double factor, double offset) ->
                        scale(values, count, factor, offset);
                case Step.Normalize normalize ->
                        normalize(normalize, position, from, values, count);
                case Step.Clip(double low, double high) -> clip(values, count, low, high);
                case Step.Log1p() -> {
                    if (isExact) {
                        log1p(values, count);
                    } else {
                        fastLog1p.apply(values, count);
                    }
                }
                case Step.IsMissing() -> isMissing(values, count);
            }
        }
    }

    private static void missing(double[] values, int count, double value) {
        for (int i = 0; i < count; i++) {
            values[i] = values[i] == value ? Double.NaN : values[i];
        }
    }

    private static void scale(double[] values, int count, double factor, double offset) {
        for (int i = 0; i < count; i++) {
            values[i] = values[i] * factor + offset;
        }
    }

    private void normalize(
            Step.Normalize step, long[] position, long from, double[] values, int count) {
        double[] means = step.means();
        double[] deviations = step.deviations();
        boolean isAlongRow = means.length > 1 && step.axis() == position.length - 1;
        if (isAlongRow) {
            normalizeEach(values, count, means, deviations, (int) from);
            return;
        }
        int channel = means.length == 1 ? 0 : (int) position[step.axis()];
        double inverse = 1 / deviations[channel];
        if (isExact || !Double.isFinite(inverse)) {
            normalize(values, count, means[channel], deviations[channel]);
        } else {
            normalizeFast(values, count, means[channel], inverse);
        }
    }

    private static void normalizeEach(
            double[] values, int count, double[] means, double[] deviations, int from) {
        for (int i = 0; i < count; i++) {
            values[i] = (values[i] - means[from + i]) / deviations[from + i];
        }
    }

    private static void normalize(double[] values, int count, double mean, double deviation) {
        for (int i = 0; i < count; i++) {
            values[i] = (values[i] - mean) / deviation;
        }
    }

    /** Multiplies, which takes an eighth of the time of dividing. */
    private static void normalizeFast(double[] values, int count, double mean, double inverse) {
        for (int i = 0; i < count; i++) {
            values[i] = (values[i] - mean) * inverse;
        }
    }

    private static void clip(double[] values, int count, double low, double high) {
        for (int i = 0; i < count; i++) {
            values[i] = Math.min(Math.max(values[i], low), high);
        }
    }

    private static void log1p(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = StrictMath.log1p(values[i]);
        }
    }

    private static void isMissing(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = Double.isNaN(values[i]) ? 1 : 0;
        }
    }
}
