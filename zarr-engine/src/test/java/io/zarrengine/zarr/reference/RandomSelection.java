package io.zarrengine.zarr.reference;

import io.zarrengine.zarr.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A selection, and what it means: the positions that it takes, in order.
 *
 * @param selection what the engine gets
 * @param shape of the result
 * @param positions of the array, as many as the result has elements
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record RandomSelection(Selection selection, long[] shape, List<int[]> positions) {
    /** Makes selections of one kind. */
    @FunctionalInterface
    interface Kind {
        RandomSelection of(int[] shape, SplittableRandom random);
    }

    /** Another kind of selection joins by its line here. */
    private static final List<Kind> KINDS =
            List.of(RandomSelection::all, RandomSelection::box, RandomSelection::slices);

    static RandomSelection next(int[] shape, SplittableRandom random) {
        return KINDS.get(random.nextInt(KINDS.size())).of(shape, random);
    }

    private static RandomSelection all(int[] shape, SplittableRandom random) {
        List<int[]> positions = new ArrayList<>();
        for (int i = 0; i < Shapes.product(shape); i++) {
            positions.add(Shapes.position(i, shape));
        }
        long[] resultShape = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            resultShape[d] = shape[d];
        }
        return new RandomSelection(Selection.all(), resultShape, positions);
    }

    private static RandomSelection box(int[] shape, SplittableRandom random) {
        long[] offset = new long[shape.length];
        long[] count = new long[shape.length];
        long[] step = new long[shape.length];
        List<List<Integer>> taken = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            List<Integer> ofDimension = new ArrayList<>();
            step[d] = random.nextInt(3) == 0 ? 1 + random.nextInt(7) : 1;
            offset[d] = shape[d] == 0 ? 0 : random.nextInt(shape[d]);
            long countMax = (shape[d] - offset[d] + step[d] - 1) / step[d];
            count[d] = random.nextInt(40) == 0 ? 0 : Math.min(countMax, 1 + random.nextLong(12));
            for (long i = 0; i < count[d]; i++) {
                ofDimension.add((int) (offset[d] + i * step[d]));
            }
            taken.add(ofDimension);
        }
        return new RandomSelection(
                Selection.box(offset, count, step), count, everyCombination(taken));
    }

    /** Text, with indices, open ends, negative numbers and what reaches outside. */
    private static RandomSelection slices(int[] shape, SplittableRandom random) {
        List<String> parts = new ArrayList<>();
        List<Long> resultShape = new ArrayList<>();
        List<List<Integer>> taken = new ArrayList<>();
        for (int length : shape) {
            if (random.nextInt(4) == 0 && length > 0) {
                int at = random.nextInt(length);
                parts.add(Integer.toString(random.nextBoolean() ? at : at - length));
                taken.add(List.of(at));
                continue;
            }
            Integer start = random.nextBoolean() ? null : random.nextInt(-length - 2, length + 3);
            Integer stop = random.nextBoolean() ? null : random.nextInt(-length - 2, length + 3);
            int step = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
            parts.add(text(start) + ":" + text(stop) + (step == 1 ? "" : ":" + step));
            List<Integer> ofDimension = new ArrayList<>();
            int end = bound(stop, length, length);
            for (int i = bound(start, 0, length); i < end; i += step) {
                ofDimension.add(i);
            }
            taken.add(ofDimension);
            resultShape.add((long) ofDimension.size());
        }
        return new RandomSelection(
                Selection.of(String.join(", ", parts)),
                resultShape.stream().mapToLong(length -> length).toArray(),
                everyCombination(taken));
    }

    private static String text(Integer bound) {
        return bound == null ? "" : bound.toString();
    }

    /** Python's slice.indices for positive steps. */
    private static int bound(Integer bound, int otherwise, int length) {
        if (bound == null) {
            return otherwise;
        }
        return Math.clamp(bound < 0 ? bound + length : bound, 0, length);
    }

    /** In C order: the last dimension runs fastest. */
    private static List<int[]> everyCombination(List<List<Integer>> taken) {
        List<int[]> positions = new ArrayList<>();
        positions.add(new int[taken.size()]);
        for (int d = 0; d < taken.size(); d++) {
            List<int[]> longer = new ArrayList<>();
            for (int[] position : positions) {
                for (int at : taken.get(d)) {
                    int[] next = position.clone();
                    next[d] = at;
                    longer.add(next);
                }
            }
            positions = longer;
        }
        return positions;
    }
}
