package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.filter.NumberBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a kernel: permutations move to the front, and flips and strides into the view of the
 * elements, or of the boxes of a mean, so that nothing is moved twice.
 */
final class KernelCompiler {
    private final NumericType type;
    private final NumericType result;
    private final List<Step> steps; // without permutations
    private final long[] shape; // permuted
    private final long[] strides; // permuted, in elements
    private Rows done; // computes what the view shows; null: the view shows the source
    private int[] factors; // of the mean that the view shows
    private View view;
    private List<Step.Pointwise> pointwise = new ArrayList<>();

    KernelCompiler(Transform transform, NumericType type, long[] sampleShape) {
        transform.shapeAfter(sampleShape);
        this.type = type;
        this.result = transform.typeAfter(type);
        List<Step> all = new ArrayList<>(transform.steps());
        long[] lengths = sampleShape.clone();
        if (sampleShape.length == 0) { // A number: only what computes it by itself has an effect.
            lengths = new long[] {1};
            all.removeIf(step -> step instanceof Step.Layout || step instanceof Step.Mean);
        }
        long[] distances = distances(lengths);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof Step.Permute(int[] axes)) {
                for (int j = 0; j < i; j++) {
                    all.set(j, all.get(j).permuted(axes));
                }
                lengths = permuted(lengths, axes);
                distances = permuted(distances, axes);
            }
        }
        all.removeIf(Step.Permute.class::isInstance);
        this.steps = all;
        this.shape = lengths;
        this.strides = distances;
    }

    private static long[] distances(long[] shape) {
        long[] distances = new long[shape.length];
        long distance = 1;
        for (int d = shape.length - 1; d >= 0; d--) {
            distances[d] = distance;
            distance *= shape[d];
        }
        return distances;
    }

    private static long[] permuted(long[] values, int[] axes) {
        return Arrays.stream(axes).mapToLong(axis -> values[axis]).toArray();
    }

    Kernel compile() {
        view = new View(shape, strides);
        Overflow overflow = Overflow.CLAMP;
        for (Step step : steps) {
            switch (step) {
                case Step.Pointwise one -> pointwise.add(rounded(one));
                case Step.Layout layout -> apply(layout);
                case Step.Mean(int[] boxes) -> mean(boxes);
                case Step.Cast(_, Overflow rule) -> overflow = rule;
            }
        }
        boolean isExact = done == null && pointwise.isEmpty() && isWhole(type) && isWhole(result);
        if (done == null) {
            joinDimensions();
        }
        Rows rows = rows();
        SourceRows exact = isExact && rows instanceof SourceRows source ? source : null;
        List<Program.Level> levels = new ArrayList<>();
        rows.addTo(levels);
        Program program = new Program(type, result, overflow, exact != null, view.lengths, levels);
        Casts casts = new Casts(result, overflow);
        return new Kernel(program, rows, exact, casts, MachineRows.of(program));
    }

    private static boolean isSmallFloat(NumericType type) {
        return type.kind() == Kind.FLOAT && type.bits() <= Float.SIZE;
    }

    private static boolean isWhole(NumericType type) {
        return NumberBlocks.areLongs(type);
    }

    /** Rounds a missing value of stored floats to their type, as the stored one is. */
    private Step.Pointwise rounded(Step.Pointwise step) {
        boolean isStored =
                done == null && pointwise.stream().allMatch(Step.Missing.class::isInstance);
        if (step instanceof Step.Missing(double value)
                && isStored
                && (type == NumericType.FLOAT32 || type == NumericType.FLOAT16)) {
            return new Step.Missing(type.toDouble(type.nearest(value)));
        }
        return step;
    }

    /** Moves a flip or a stride before the steps that compute each number by itself. */
    private void apply(Step.Layout layout) {
        View channels = new View(view.lengths, ones(view.lengths.length));
        channels.apply(layout);
        pointwise.replaceAll(step ->
                step instanceof Step.Normalize normalize && normalize.means().length > 1
                        ? chosen(normalize, channels)
                        : step);
        view.apply(layout);
    }

    private static long[] ones(int count) {
        long[] ones = new long[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** {@return the step with the numbers of the channels that are left, in their order} */
    private static Step.Pointwise chosen(Step.Normalize step, View channels) {
        int axis = step.axis();
        int count = (int) channels.lengths[axis];
        double[] means = new double[count];
        double[] deviations = new double[count];
        for (int i = 0; i < count; i++) {
            int from = (int) (channels.starts[axis] + i * channels.strides[axis]);
            means[i] = step.means()[from];
            deviations[i] = step.deviations()[from];
        }
        return new Step.Normalize(axis, means, deviations);
    }

    private void mean(int[] boxes) {
        done = rows();
        factors = boxes;
        pointwise = new ArrayList<>();
        long[] lengths = new long[boxes.length];
        Arrays.setAll(lengths, d -> view.lengths[d] / boxes[d]);
        view = new View(lengths, Arrays.stream(boxes).asLongStream().toArray());
    }

    private Rows rows() {
        PointwiseSteps computed = new PointwiseSteps(List.copyOf(pointwise), !isSmallFloat(result));
        return done == null
                ? new SourceRows(type, view, computed)
                : new MeanRows(done, factors, view, computed);
    }

    /** Makes rows longer: joins dimensions that are like one, except along a channel's axis. */
    private void joinDimensions() {
        for (int d = view.lengths.length - 2; d >= 0; d--) {
            if (view.isJoined(d) && !isChannel(d) && !isChannel(d + 1)) {
                view.join(d);
                int joined = d;
                pointwise.replaceAll(step -> moved(step, joined));
            }
        }
    }

    private boolean isChannel(int axis) {
        return pointwise.stream()
                .anyMatch(step ->
                        step instanceof Step.Normalize(int own, double[] means, _)
                                && means.length > 1
                                && own == axis);
    }

    /** {@return the step after a dimension before its axis has gone} */
    private static Step.Pointwise moved(Step.Pointwise step, int joined) {
        return step instanceof Step.Normalize(int axis, double[] means, double[] deviations)
                        && axis > joined
                ? new Step.Normalize(axis - 1, means, deviations)
                : step;
    }
}
