package io.zarrengine.zarr.reference;

import io.zarrengine.zarr.DimensionSelection;
import io.zarrengine.zarr.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Selection and its meaning: the positions that it selects, in order.
 *
 * @param selection the argument of the engine
 * @param shape the shape of the result
 * @param positions the positions in the array, one for each element of the result
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RandomSelection(Selection selection, long[] shape, List<int[]> positions) {
    /** Generator of selections of one kind. */
    @FunctionalInterface
    interface Kind {
        RandomSelection of(ReferenceArray array, SplittableRandom random);
    }

    /** All kinds; another kind needs a line here. */
    private static final List<Kind> KINDS =
            List.of(
                    (array, random) -> all(array.shape()),
                    (array, random) -> box(array.shape(), random),
                    (array, random) -> slices(array.shape(), random),
                    (array, random) -> orthogonal(array.shape(), random),
                    (array, random) -> points(array.shape(), random),
                    (array, random) -> mask(array.shape(), random),
                    (array, random) -> blocks(array, random));

    static RandomSelection next(ReferenceArray array, SplittableRandom random) {
        return KINDS.get(random.nextInt(KINDS.size())).of(array, random);
    }

    private static RandomSelection all(int[] shape) {
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

    /**
     * Returns a text with indices, open ends, negative numbers and steps, and slices that reach
     * outside.
     */
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
            Slice slice = Slice.next(length, random);
            parts.add(slice.text());
            List<Integer> ofDimension = slice.positions(length);
            taken.add(ofDimension);
            resultShape.add((long) ofDimension.size());
        }
        return new RandomSelection(
                parts.isEmpty() ? Selection.all() : Selection.of(String.join(", ", parts)),
                resultShape.stream().mapToLong(length -> length).toArray(),
                everyCombination(taken));
    }

    /** A slice of Python. */
    private record Slice(Integer start, Integer stop, int step) {
        static Slice next(int length, SplittableRandom random) {
            Integer start = random.nextBoolean() ? null : random.nextInt(-length - 2, length + 3);
            Integer stop = random.nextBoolean() ? null : random.nextInt(-length - 2, length + 3);
            int step = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
            return new Slice(start, stop, random.nextInt(3) == 0 ? -step : step);
        }

        String text() {
            return text(start) + ":" + text(stop) + (step == 1 ? "" : ":" + step);
        }

        private static String text(Integer bound) {
            return bound == null ? "" : bound.toString();
        }

        /** Returns the positions by the definition of slice.indices. */
        List<Integer> positions(int length) {
            int lowest = step > 0 ? 0 : -1;
            int highest = step > 0 ? length : length - 1;
            int from = bound(start, step > 0 ? lowest : highest, lowest, highest, length);
            int to = bound(stop, step > 0 ? highest : lowest, lowest, highest, length);
            List<Integer> positions = new ArrayList<>();
            for (int i = from; step > 0 ? i < to : i > to; i += step) {
                positions.add(i);
            }
            return positions;
        }

        private static int bound(
                Integer bound, int otherwise, int lowest, int highest, int length) {
            if (bound == null) {
                return otherwise;
            }
            int counted = bound < 0 ? bound + length : bound;
            return Math.max(lowest, Math.min(highest, counted));
        }
    }

    /** Returns slices, indices, lists and masks, one for each dimension. */
    private static RandomSelection orthogonal(int[] shape, SplittableRandom random) {
        DimensionSelection[] dimensions = new DimensionSelection[shape.length];
        List<Long> resultShape = new ArrayList<>();
        List<List<Integer>> taken = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            int kind = shape[d] == 0 ? 1 + random.nextInt(2) : random.nextInt(4);
            List<Integer> ofDimension = new ArrayList<>();
            switch (kind) {
                case 0 -> {
                    ofDimension.add(random.nextInt(shape[d]));
                    dimensions[d] =
                            DimensionSelection.index(
                                    negativeOrNot(ofDimension.getFirst(), shape[d], random));
                }
                case 1 -> {
                    Slice slice = Slice.next(shape[d], random);
                    ofDimension = slice.positions(shape[d]);
                    dimensions[d] =
                            DimensionSelection.slice(
                                    toLong(slice.start), toLong(slice.stop), (long) slice.step);
                }
                case 2 -> {
                    boolean[] mask = randomMask(shape[d], random);
                    for (int i = 0; i < mask.length; i++) {
                        if (mask[i]) {
                            ofDimension.add(i);
                        }
                    }
                    dimensions[d] = DimensionSelection.mask(mask);
                }
                default -> {
                    long[] positions = new long[random.nextInt(10)];
                    for (int i = 0; i < positions.length; i++) {
                        ofDimension.add(random.nextInt(shape[d]));
                        positions[i] = negativeOrNot(ofDimension.getLast(), shape[d], random);
                    }
                    dimensions[d] = DimensionSelection.indexes(positions);
                }
            }
            taken.add(ofDimension);
            if (kind != 0) {
                resultShape.add((long) ofDimension.size());
            }
        }
        return new RandomSelection(
                Selection.orthogonal(dimensions),
                resultShape.stream().mapToLong(length -> length).toArray(),
                everyCombination(taken));
    }

    private static Long toLong(Integer bound) {
        return bound == null ? null : (Long) bound.longValue();
    }

    private static long negativeOrNot(int at, int length, SplittableRandom random) {
        return random.nextInt(3) == 0 ? at - length : at;
    }

    private static boolean[] randomMask(int length, SplittableRandom random) {
        boolean[] mask = new boolean[length];
        int density = 1 + random.nextInt(8);
        for (int i = 0; i < length; i++) {
            mask[i] = random.nextInt(density) == 0;
        }
        return mask;
    }

    /** Returns single elements, in any order and repeated; sometimes all with one index. */
    private static RandomSelection points(int[] shape, SplittableRandom random) {
        boolean empty = Shapes.product(shape) == 0;
        int points = empty ? 0 : shape.length == 0 ? 1 : random.nextInt(40);
        List<int[]> positions = new ArrayList<>();
        for (int i = 0; i < points; i++) {
            positions.add(new int[shape.length]);
        }
        long[][] indexes = new long[shape.length][];
        for (int d = 0; d < shape.length; d++) {
            boolean same = points > 0 && d > 0 && random.nextInt(4) == 0;
            indexes[d] = new long[same ? 1 : points];
            for (int i = 0; i < indexes[d].length; i++) {
                int at = random.nextInt(shape[d]);
                indexes[d][i] = negativeOrNot(at, shape[d], random);
                for (int j = i; j < (same ? points : i + 1); j++) {
                    positions.get(j)[d] = at;
                }
            }
        }
        return new RandomSelection(Selection.points(indexes), new long[] {points}, positions);
    }

    private static RandomSelection mask(int[] shape, SplittableRandom random) {
        boolean[] mask = randomMask(Shapes.product(shape), random);
        List<int[]> positions = new ArrayList<>();
        for (int i = 0; i < mask.length; i++) {
            if (mask[i]) {
                positions.add(Shapes.position(i, shape));
            }
        }
        return new RandomSelection(Selection.mask(mask), new long[] {positions.size()}, positions);
    }

    /** Returns whole chunks; an index keeps its dimension. */
    private static RandomSelection blocks(ReferenceArray array, SplittableRandom random) {
        int[] shape = array.shape();
        List<String> parts = new ArrayList<>();
        long[] resultShape = new long[shape.length];
        List<List<Integer>> taken = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            int chunks = array.chunks()[d];
            int from = chunks == 0 ? 0 : random.nextInt(chunks);
            int to = from + 1;
            if (chunks > 0 && random.nextBoolean()) {
                parts.add(Long.toString(negativeOrNot(from, chunks, random)));
            } else {
                to = chunks == 0 ? 0 : from + random.nextInt(chunks - from + 1);
                parts.add(from + ":" + to);
            }
            List<Integer> ofDimension = new ArrayList<>();
            int end = Math.min(shape[d], array.grid().origin(d, to));
            for (int i = array.grid().origin(d, from); i < end; i++) {
                ofDimension.add(i);
            }
            taken.add(ofDimension);
            resultShape[d] = ofDimension.size();
        }
        String text = parts.isEmpty() ? "..." : String.join(", ", parts);
        return new RandomSelection(Selection.blocks(text), resultShape, everyCombination(taken));
    }

    /** Returns all combinations in C order: the last dimension varies fastest. */
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
