package io.zarrengine.python;

import io.zarrengine.zarr.DimensionSelection;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Selections as numbers. The first one is the kind, and the rest follows from it:
 *
 * <pre>
 * DIMENSIONS  a part for each dimension: SLICE start stop step | INDEX position | LIST n positions | REST
 * BLOCKS      the same, without lists, counting chunks
 * POINTS      rank, number of points, and for each dimension the position of every point
 * BOXES       rank, and for each selection and dimension: start stop
 * MANY        for each selection: the number of its numbers, and its numbers
 * </pre>
 *
 * {@code zarr_engine/_selection.py} writes them.
 *
 * @param selections one, or any number if {@code isList}
 * @param isList whether the selections are read as one, as {@code ZarrArray.read(List)} does
 */
record CodedSelection(List<Selection> selections, boolean isList) {
    static final int DIMENSIONS = 0;
    static final int BLOCKS = 1;
    static final int POINTS = 2;
    static final int BOXES = 3;
    static final int MANY = 4;

    static final int SLICE = 0;
    static final int INDEX = 1;
    static final int LIST = 2;
    static final int REST = 3;

    /** A bound of a slice that is left out. */
    static final long NONE = Long.MIN_VALUE;

    static CodedSelection of(long... code) {
        return switch ((int) code[0]) {
            case BOXES -> new CodedSelection(boxes(code), true);
            case MANY -> new CodedSelection(many(code), true);
            default -> new CodedSelection(List.of(one(code, 0, code.length)), false);
        };
    }

    /** Returns the only selection. */
    Selection only() {
        return selections.getFirst();
    }

    /** Returns the size of the result, in bytes. */
    long bytesOf(ZarrArray source) {
        return isList ? source.bytesOf(selections) : source.bytesOf(only());
    }

    /** Refuses memory {@code {address, bytes, lengths...}} that has not the result's shape. */
    void requireFit(ZarrArray source, long... place) {
        long[] found = Arrays.copyOfRange(place, 2, place.length);
        long[] expected = null;
        if (!isList) {
            expected = source.shapeOf(only());
        } else if (found.length != 1 && !selections.isEmpty()) {
            long[] one = source.shapeOf(only());
            expected = new long[one.length + 1];
            expected[0] = selections.size();
            System.arraycopy(one, 0, expected, 1, one.length);
        }
        if (expected != null && !Arrays.equals(found, expected)) {
            throw new IllegalArgumentException(
                    "out has the shape %s, the selection %s"
                            .formatted(Arrays.toString(found), Arrays.toString(expected)));
        }
        long bytes = bytesOf(source);
        if (bytes != place[1]) {
            throw new IllegalArgumentException(
                    "out has " + place[1] + " bytes, the selection " + bytes);
        }
    }

    private static List<Selection> many(long[] code) {
        List<Selection> selections = new ArrayList<>();
        int at = 1;
        while (at < code.length) {
            int from = at + 1;
            at = from + Math.toIntExact(code[at]);
            selections.add(one(code, from, at));
        }
        return selections;
    }

    private static List<Selection> boxes(long[] code) {
        int rank = Math.toIntExact(code[1]);
        List<Selection> selections = new ArrayList<>();
        int at = 2;
        while (at < code.length) {
            DimensionSelection[] parts = new DimensionSelection[rank];
            for (int d = 0; d < rank; d++) {
                parts[d] = DimensionSelection.range(code[at], code[at + 1]);
                at += 2;
            }
            selections.add(Selection.orthogonal(parts));
        }
        return selections;
    }

    private static Selection one(long[] code, int from, int to) {
        return switch ((int) code[from]) {
            case DIMENSIONS -> Selection.orthogonal(parts(code, from + 1, to));
            case BLOCKS -> Selection.blocksOf(parts(code, from + 1, to));
            case POINTS -> points(code, from + 1);
            default -> throw new IllegalArgumentException("selection of kind " + code[from]);
        };
    }

    private static DimensionSelection[] parts(long[] code, int from, int to) {
        List<DimensionSelection> parts = new ArrayList<>();
        int at = from;
        while (at < to) {
            switch ((int) code[at]) {
                case SLICE -> {
                    parts.add(
                            DimensionSelection.slice(
                                    bound(code[at + 1]), bound(code[at + 2]), bound(code[at + 3])));
                    at += 4;
                }
                case INDEX -> {
                    parts.add(DimensionSelection.index(code[at + 1]));
                    at += 2;
                }
                case LIST -> {
                    int end = at + 2 + Math.toIntExact(code[at + 1]);
                    parts.add(DimensionSelection.indexes(Arrays.copyOfRange(code, at + 2, end)));
                    at = end;
                }
                default -> {
                    parts.add(DimensionSelection.rest());
                    at++;
                }
            }
        }
        return parts.toArray(DimensionSelection[]::new);
    }

    private static Long bound(long number) {
        return number == NONE ? null : number;
    }

    private static Selection points(long[] code, int from) {
        int rank = Math.toIntExact(code[from]);
        int points = Math.toIntExact(code[from + 1]);
        long[][] positions = new long[rank][];
        for (int d = 0; d < rank; d++) {
            int at = from + 2 + d * points;
            positions[d] = Arrays.copyOfRange(code, at, at + points);
        }
        return Selection.points(positions);
    }
}
