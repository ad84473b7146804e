package io.zarrengine.zarr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which elements of an array: for each dimension a slice or an index, as NumPy has them.
 *
 * <p>As text, separated by commas: {@code start:stop:step} with any part left out, an index, {@code
 * :} for all, {@code ...} for as many {@code :} as are missing. Negative starts, stops and indexes
 * count from the end; slices that reach outside the array are cut off. An index takes its dimension
 * away. Dimensions that are not named are taken whole. Immutable.
 *
 * @see <a href="https://numpy.org/doc/stable/user/basics.indexing.html">NumPy, "Indexing on
 *     ndarrays"</a>
 */
public final class Selection {
    private static final Selection ALL = new Selection(List.of(Part.REST));

    /** One dimension of a selection, or several for {@code ...}. */
    private sealed interface Part {
        /** All dimensions that no other part names. */
        Part REST = new Rest();

        /** {@code ...}. */
        record Rest() implements Part {}

        /** A single position; its dimension disappears. */
        record Index(long at) implements Part {}

        /** {@code count} positions from {@code start} on, all of which must be in the array. */
        record Box(long start, long count, long step) implements Part {}

        /** {@code start:stop:step}; null where a part is left out. */
        record Slice(Long start, Long stop, Long step) implements Part {}
    }

    private final List<Part> parts;

    private Selection(List<Part> parts) {
        this.parts = parts;
    }

    /** {@return everything} */
    public static Selection all() {
        return ALL;
    }

    /**
     * {@return the selection that a text describes, e.g. {@code "0:2, 1, :, 100:228"}}
     *
     * @param text see the class; empty for everything
     * @throws IllegalArgumentException if it is not a selection
     */
    public static Selection of(String text) {
        if (text.isBlank()) {
            return ALL;
        }
        List<Part> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            parts.add(parse(part.strip(), text));
        }
        return checked(parts, text);
    }

    /**
     * {@return a box; unlike a slice, it must lie inside the array}
     *
     * @param offset its first position along each dimension, {@code >= 0}
     * @param shape its length along each dimension, {@code >= 0}
     * @throws IllegalArgumentException if one is negative, or their lengths differ
     */
    public static Selection box(long[] offset, long[] shape) {
        long[] step = new long[offset.length];
        Arrays.fill(step, 1);
        return box(offset, shape, step);
    }

    /**
     * {@return a box of every {@code step}-th position; it must lie inside the array}
     *
     * @param offset its first position along each dimension, {@code >= 0}
     * @param shape number of positions along each dimension, {@code >= 0}
     * @param step distance of positions along each dimension, {@code > 0}
     * @throws IllegalArgumentException if one is out of bounds, or their lengths differ
     */
    public static Selection box(long[] offset, long[] shape, long[] step) {
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
        List<Part> parts = new ArrayList<>();
        for (int d = 0; d < offset.length; d++) {
            if (offset[d] < 0 || shape[d] < 0 || step[d] < 1) {
                throw new IllegalArgumentException(
                        "offset " + offset[d] + ", length " + shape[d] + ", step " + step[d]);
            }
            parts.add(new Part.Box(offset[d], shape[d], step[d]));
        }
        return new Selection(parts);
    }

    private static Part parse(String part, String text) {
        if (part.equals("...")) {
            return Part.REST;
        }
        List<String> numbers = List.of(part.split(":", -1));
        try {
            return switch (numbers.size()) {
                case 1 -> new Part.Index(Long.parseLong(part));
                case 2 -> new Part.Slice(number(numbers, 0), number(numbers, 1), null);
                case 3 ->
                        new Part.Slice(number(numbers, 0), number(numbers, 1), number(numbers, 2));
                default -> throw new NumberFormatException("too many colons");
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "\"" + part + "\" in \"" + text + "\" is no index, start:stop:step or ...", e);
        }
    }

    private static Long number(List<String> numbers, int i) {
        String number = numbers.get(i).strip();
        return number.isEmpty() ? null : (Long) Long.parseLong(number);
    }

    private static Selection checked(List<Part> parts, String text) {
        if (parts.stream().filter(Part.Rest.class::isInstance).count() > 1) {
            throw new IllegalArgumentException("\"" + text + "\" has ... more than once");
        }
        return new Selection(List.copyOf(parts));
    }

    /**
     * {@return the positions that this selects of an array}
     *
     * @param shape the array's shape
     * @throws IndexOutOfBoundsException if an index or a box is not in the array
     * @throws IllegalArgumentException if there are more parts than dimensions, or a step is not
     *     positive
     */
    ResolvedSelection resolve(long[] shape) {
        int rank = shape.length;
        long named = parts.stream().filter(part -> !(part instanceof Part.Rest)).count();
        if (named > rank) {
            throw new IllegalArgumentException(
                    this + " has " + named + " parts, the array " + rank + " dimensions");
        }
        ResolvedSelection.Builder resolved = new ResolvedSelection.Builder(rank);
        boolean restSeen = false;
        for (Part part : parts) {
            switch (part) {
                case Part.Rest rest -> {
                    restSeen = true;
                    for (long i = named; i < rank; i++) {
                        resolved.all(shape[resolved.size()]);
                    }
                }
                case Part.Index index -> resolved.index(index.at, shape[resolved.size()]);
                case Part.Box box ->
                        resolved.box(box.start, box.count, box.step, shape[resolved.size()]);
                case Part.Slice slice ->
                        resolved.slice(slice.start, slice.stop, slice.step, shape[resolved.size()]);
            }
        }
        while (!restSeen && resolved.size() < rank) {
            resolved.all(shape[resolved.size()]);
        }
        return resolved.build();
    }

    /** {@return the text that describes this selection} */
    @Override
    public String toString() {
        return parts.stream().map(Selection::show).collect(Collectors.joining(", "));
    }

    private static String show(Part part) {
        return switch (part) {
            case Part.Rest rest -> "...";
            case Part.Index index -> Long.toString(index.at);
            case Part.Box box -> box.count + " from " + box.start + " by " + box.step;
            case Part.Slice slice ->
                    show(slice.start)
                            + ":"
                            + show(slice.stop)
                            + (slice.step == null ? "" : ":" + slice.step);
        };
    }

    private static String show(Long number) {
        return number == null ? "" : number.toString();
    }
}
