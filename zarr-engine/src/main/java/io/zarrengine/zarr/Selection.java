package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A selection of elements of an array: for each dimension a slice, an index or a list, as in NumPy;
 * or single points; or whole chunks.
 *
 * <p>The text form has one part per dimension, separated by commas: {@code start:stop:step} with
 * any of the three omitted, an index, {@code :} for all, {@code ...} for as many {@code :} as are
 * missing, {@code [0,5,-1]} for a list of indexes in any order. Negative starts, stops and indexes
 * count from the end; slices are clipped to the array. An index removes its dimension; a list keeps
 * it, and several lists select every combination, as {@link #orthogonal} does. Dimensions without a
 * part are taken whole. Immutable.
 *
 * @see <a href="https://numpy.org/doc/stable/user/basics.indexing.html">NumPy, "Indexing on
 *     ndarrays"</a>
 */
public abstract sealed class Selection
        permits OrthogonalSelection, PointsSelection, BlocksSelection {
    Selection() {}

    /** {@return the selection of all elements} */
    public static Selection all() {
        return OrthogonalSelection.ALL;
    }

    /**
     * {@return the selection that a text describes, e.g. {@code "0:2, 1, [0,5,-1], 100:228"}}
     *
     * @param text the text form, see the class; {@code "..."} for everything
     * @throws IllegalArgumentException if the text is not a selection; an empty text is not one,
     *     because an unset variable must not select everything
     * @throws IndexOutOfBoundsException if the text has an index beyond 64 bits
     */
    public static Selection of(String text) {
        return new OrthogonalSelection(parse(requireText(text)));
    }

    private static String requireText(String text) {
        if (Objects.requireNonNull(text, "the text of a selection is null").isBlank()) {
            throw new IllegalArgumentException(
                    "an empty text is no selection: \"...\" selects everything");
        }
        return text;
    }

    private static List<DimensionSelection> parse(String text) {
        List<DimensionSelection> parts = new ArrayList<>();
        List<String> texts = split(text);
        int rest = texts.indexOf("...");
        for (int i = 0; i < texts.size(); i++) {
            // After "..." only the distance from the last dimension is known.
            int dimension = rest >= 0 && rest < i ? i - texts.size() : i;
            try {
                parts.add(DimensionSelection.parse(texts.get(i), dimension));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        refusal(texts.get(i), text, dimension, e.getMessage()), e);
            }
        }
        return parts;
    }

    /** {@code detail} describes the error in this part of the text. */
    private static String refusal(String part, String text, int dimension, String detail) {
        String whole = part.equals(text.strip()) ? "" : " in \"" + text + "\"";
        return "\"%s\"%s is no selection of dimension %d%s: expected an index, start:stop:step, [index,index] or ..."
                .formatted(
                        part,
                        whole,
                        dimension,
                        detail.startsWith("\"" + part + "\" is") ? "" : ", for " + detail);
    }

    /** Splits at commas, except inside brackets. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        boolean inList = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            inList = c == '[' || (inList && c != ']');
            if (c == ',' && !inList) {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        parts.add(text.substring(from).strip());
        return parts;
    }

    /**
     * {@return a box; unlike a slice, it must lie inside the array}
     *
     * @param offset its first position along each dimension, {@code >= 0}
     * @param shape its length along each dimension, {@code >= 0}
     * @throws IllegalArgumentException if a length is negative, or the arrays differ in length
     * @throws IndexOutOfBoundsException if an offset is negative
     */
    public static Selection box(long[] offset, long[] shape) {
        long[] step =
                new long[Objects.requireNonNull(offset, "the offset of a box is null").length];
        Arrays.fill(step, 1);
        return box(offset, shape, step);
    }

    /**
     * {@return a box of every {@code step}-th position; it must lie inside the array}
     *
     * @param offset its first position along each dimension, {@code >= 0}
     * @param shape number of positions along each dimension, {@code >= 0}
     * @param step distance between positions along each dimension, {@code > 0}
     * @throws IllegalArgumentException if a length is negative, a step is not positive, or the
     *     arrays differ in length
     * @throws IndexOutOfBoundsException if an offset is negative
     */
    public static Selection box(long[] offset, long[] shape, long[] step) {
        Objects.requireNonNull(offset, "the offset of a box is null");
        Objects.requireNonNull(shape, "the shape of a box is null");
        Objects.requireNonNull(step, "the step of a box is null");
        if (offset.length != shape.length || offset.length != step.length) {
            throw new IllegalArgumentException(
                    "offset "
                            + Arrays.toString(offset)
                            + ", shape "
                            + Arrays.toString(shape)
                            + " and step "
                            + Arrays.toString(step)
                            + " have different lengths");
        }
        List<DimensionSelection> parts = new ArrayList<>();
        for (int d = 0; d < offset.length; d++) {
            if (offset[d] < 0) {
                throw new IndexOutOfBoundsException(
                        "a box begins at "
                                + offset[d]
                                + " in dimension "
                                + d
                                + ": it must lie inside the array");
            }
            if (shape[d] < 0 || step[d] < 1) {
                throw new IllegalArgumentException(
                        "a box has length %d and step %d in dimension %d, expected at least 0 and 1"
                                .formatted(shape[d], step[d], d));
            }
            parts.add(new DimensionSelection.Box(offset[d], shape[d], step[d]));
        }
        return new OrthogonalSelection(parts);
    }

    /**
     * {@return every combination of the positions of each dimension; dimensions without a part are
     * taken whole}
     *
     * @param dimensions slices, indexes, lists and masks
     * @throws IllegalArgumentException if there is more than one {@code rest}
     * @see <a
     *     href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#orthogonal-indexing">
     *     zarr-python, orthogonal indexing (oindex)</a>
     */
    public static Selection orthogonal(DimensionSelection... dimensions) {
        Objects.requireNonNull(dimensions, "the dimensions of a selection are null");
        for (int d = 0; d < dimensions.length; d++) {
            Objects.requireNonNull(dimensions[d], "the selection of dimension " + d + " is null");
        }
        return new OrthogonalSelection(List.of(dimensions));
    }

    /**
     * {@return single elements; the result has one dimension}
     *
     * @param indexes for each dimension the indexes of the points, all of the same length, or one
     *     index shared by all points; negative ones count from the end
     * @throws IllegalArgumentException if the lengths do not match
     * @see <a
     *     href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#indexing-with-coordinate-arrays">
     *     zarr-python, indexing with coordinate arrays (vindex)</a>
     */
    public static Selection points(long[]... indexes) {
        return PointsSelection.of(Objects.requireNonNull(indexes, "the points are null"));
    }

    /**
     * {@return the elements for which a mask is true, in C order; the result has one dimension}
     *
     * @param mask one for each element of the array, in C order
     */
    public static Selection mask(boolean... mask) {
        return PointsSelection.ofMask(Objects.requireNonNull(mask, "the mask is null"));
    }

    /**
     * {@return whole chunks of the grid (shards, if the array is sharded), clipped to the array}
     *
     * @param text as for {@link #of}, but counting chunks, only with steps of 1 and without lists;
     *     an index keeps its dimension
     * @throws IllegalArgumentException if the text is not such a selection
     * @see <a href="https://zarr.readthedocs.io/en/stable/user-guide/arrays.html#block-indexing">
     *     zarr-python, block indexing</a>
     */
    public static Selection blocks(String text) {
        return new BlocksSelection(parse(requireText(text)));
    }

    /**
     * {@return whole chunks, one part for each dimension, counted in chunks}
     *
     * @param parts the positions of chunks; missing ones at the end are everything
     * @throws IllegalArgumentException if a part is a list, or has a step other than 1
     */
    public static Selection blocksOf(DimensionSelection... parts) {
        return new BlocksSelection(List.of(parts));
    }

    /**
     * {@return the positions that this selects of an array}
     *
     * @param shape the array's shape
     * @param grid the array's chunk grid
     * @throws IndexOutOfBoundsException if an index or a box is not in the array
     * @throws IllegalArgumentException if there are more parts than dimensions, or a step is 0
     */
    abstract ResolvedSelection resolve(long[] shape, ChunkGrid grid);
}
