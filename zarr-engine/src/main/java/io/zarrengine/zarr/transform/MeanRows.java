package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.filter.NumberBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Computes means of boxes, row by row in float64, and then each by itself. */
final class MeanRows implements Rows {
    private final Rows inner;
    private final int[] factors;
    private final View view; // the first element of each box
    private final PointwiseSteps steps;
    private final double boxSize;
    private final double[] part = new double[NumberBlocks.LENGTH];

    MeanRows(Rows inner, int[] factors, View view, PointwiseSteps steps) {
        this.inner = inner;
        this.factors = factors;
        this.view = view;
        this.steps = steps;
        this.boxSize = Arrays.stream(factors).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    @Override
    public void load(
            MemorySegment source,
            long base,
            long[] position,
            long from,
            double[] values,
            int count) {
        Arrays.fill(values, 0, count, 0);
        int last = factors.length - 1;
        int[] offset = new int[factors.length]; // of a row in its box
        long[] at = new long[factors.length];
        do {
            for (int d = 0; d < last; d++) {
                at[d] = view.starts[d] + position[d] * view.strides[d] + offset[d];
            }
            addRow(source, base, at, from, values, count);
        } while (next(offset, last));
        for (int i = 0; i < count; i++) {
            values[i] /= boxSize;
        }
        steps.apply(position, from, values, count);
    }

    /** Goes to the next row of a box; returns false after the last one. */
    private boolean next(int[] offset, int last) {
        for (int d = last - 1; d >= 0; d--) {
            offset[d]++;
            if (offset[d] < factors[d]) {
                return true;
            }
            offset[d] = 0;
        }
        return false;
    }

    private void addRow(
            MemorySegment source, long base, long[] at, long from, double[] values, int count) {
        int last = factors.length - 1;
        int length = factors[last];
        boolean isDense = view.strides[last] == length && length <= NumberBlocks.LENGTH;
        int together = isDense ? NumberBlocks.LENGTH / length : 1;
        for (int done = 0; done < count; done += together) {
            int boxes = Math.min(together, count - done);
            long begin = view.starts[last] + (from + done) * view.strides[last];
            for (int in = 0; in < boxes * length; in += NumberBlocks.LENGTH) {
                int loaded = Math.min(NumberBlocks.LENGTH, boxes * length - in);
                inner.load(source, base, at, begin + in, part, loaded);
                if (isDense) {
                    addBoxes(part, length, values, done, boxes);
                } else {
                    values[done] += sum(part, 0, loaded);
                }
            }
        }
    }

    private static void addBoxes(double[] part, int length, double[] values, int to, int boxes) {
        for (int i = 0; i < boxes; i++) {
            values[to + i] += sum(part, i * length, length);
        }
    }

    private static double sum(double[] values, int from, int length) {
        double sum = values[from];
        for (int i = 1; i < length; i++) {
            sum += values[from + i];
        }
        return sum;
    }
}
