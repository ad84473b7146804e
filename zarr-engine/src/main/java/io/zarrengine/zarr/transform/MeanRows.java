package io.zarrengine.zarr.transform;

import io.zarrengine.zarr.filter.NumberBlocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** Computes means of boxes in float64, column by column, and then each by itself. */
final class MeanRows implements Rows {
    private final Rows inner;
    private final int[] factors;
    private final View view; // the first element of each box
    private final PointwiseSteps steps;
    private final double boxSize;
    private final double[] part = new double[NumberBlocks.LENGTH];
    private final double[] sums = new double[NumberBlocks.LENGTH];

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
        int last = factors.length - 1;
        int length = factors[last];
        boolean isDense = view.strides[last] == length && length <= NumberBlocks.LENGTH;
        int together = isDense ? NumberBlocks.LENGTH / length : 1;
        for (int done = 0; done < count; done += together) {
            int boxes = Math.min(together, count - done);
            long begin = view.starts[last] + (from + done) * view.strides[last];
            Arrays.fill(values, done, done + boxes, 0);
            for (int in = 0; in < boxes * length; in += NumberBlocks.LENGTH) {
                int columns = Math.min(NumberBlocks.LENGTH, boxes * length - in);
                sumColumns(source, base, position, begin + in, columns);
                if (isDense) {
                    sumBoxes(sums, length, values, done, boxes);
                } else {
                    values[done] += sum(sums, 0, columns);
                }
            }
        }
        divide(values, count, boxSize);
        steps.apply(position, from, values, count);
    }

    /** Adds the rows of boxes, column by column, in a loop that the compiler vectorizes. */
    private void sumColumns(
            MemorySegment source, long base, long[] position, long from, int columns) {
        int last = factors.length - 1;
        int[] offset = new int[factors.length]; // of a row in its box
        long[] at = new long[factors.length];
        Arrays.fill(sums, 0, columns, 0);
        do {
            for (int d = 0; d < last; d++) {
                at[d] = view.starts[d] + position[d] * view.strides[d] + offset[d];
            }
            inner.load(source, base, at, from, part, columns);
            add(part, sums, columns);
        } while (next(offset, last));
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

    private static void add(double[] values, double[] sums, int count) {
        for (int i = 0; i < count; i++) {
            sums[i] += values[i];
        }
    }

    private static void divide(double[] values, int count, double divisor) {
        for (int i = 0; i < count; i++) {
            values[i] /= divisor;
        }
    }

    private static void sumBoxes(double[] sums, int length, double[] values, int to, int boxes) {
        if (length == 2) {
            sumPairs(sums, values, to, boxes);
            return;
        }
        for (int i = 0; i < boxes; i++) {
            values[to + i] = sum(sums, i * length, length);
        }
    }

    private static void sumPairs(double[] sums, double[] values, int to, int boxes) {
        for (int i = 0; i < boxes; i++) {
            values[to + i] = sums[2 * i] + sums[2 * i + 1];
        }
    }

    private static double sum(double[] values, int from, int length) {
        double sum = values[from];
        for (int i = 1; i < length; i++) {
            sum += values[from + i];
        }
        return sum;
    }

    @Override
    public void addTo(List<Program.Level> levels) {
        inner.addTo(levels);
        levels.add(view.level(factors, steps));
    }
}
