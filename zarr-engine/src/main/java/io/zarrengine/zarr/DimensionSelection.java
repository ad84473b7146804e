package io.zarrengine.zarr;

import io.zarrengine.zarr.selection.Masks;
import io.zarrengine.zarr.selection.ResolvedSelection;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A selection of positions along one dimension. Immutable.
 *
 * @see Selection#orthogonal
 */
public abstract sealed class DimensionSelection {
    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

    /** The maximum number of listed positions in {@link #toString}. */
    private static final int SHOWN_MAX = 8;

    private DimensionSelection() {}

    /** {@return all dimensions that no other part names: {@code ...}} */
    public static DimensionSelection rest() {
        return Rest.REST;
    }

    /** {@return all positions: {@code :}} */
    public static DimensionSelection all() {
        return new Slice(null, null, null);
    }

    /**
     * {@return a single position; the result lacks this dimension}
     *
     * @param at the position; negative ones count from the end
     */
    public static DimensionSelection index(long at) {
        return new Index(at);
    }

    /**
     * {@return {@code start:stop:step}, as in Python}
     *
     * @param start the first position, or null for the default; negative ones count from the end
     * @param stop the position after the last, or null for the default
     * @param step the distance between positions, not 0; null for 1
     */
    public static DimensionSelection slice(Long start, Long stop, Long step) {
        return new Slice(start, stop, step);
    }

    /**
     * {@return {@code start:stop}: a {@link #slice} without defaults}
     *
     * @param start the first position; negative ones count from the end
     * @param stop the position after the last
     */
    public static DimensionSelection range(long start, long stop) {
        return new Slice(start, stop, null);
    }

    /**
     * {@return {@code start:stop:step}: a {@link #slice} without defaults}
     *
     * @param start the first position; negative ones count from the end
     * @param stop the position after the last
     * @param step the distance between positions, not 0
     */
    public static DimensionSelection range(long start, long stop, long step) {
        return new Slice(start, stop, step);
    }

    /**
     * {@return listed positions, in any order; positions may repeat}
     *
     * @param positions the positions; negative ones count from the end
     */
    public static DimensionSelection indexes(long... positions) {
        return new Indexes(positions.clone());
    }

    /**
     * {@return the positions for which a mask is true}
     *
     * @param mask one element for each position
     */
    public static DimensionSelection mask(boolean... mask) {
        return new Mask(mask.clone());
    }

    /**
     * {@return an index, {@code start:stop:step}, {@code [index,index]} or {@code ...}}
     *
     * @param part the text
     * @param dimension the dimension's number, for messages
     * @throws IllegalArgumentException if the text has none of these forms
     * @throws IndexOutOfBoundsException if the text is an index outside 64 bits
     */
    static DimensionSelection parse(String part, int dimension) {
        if (part.equals("...")) {
            return rest();
        }
        if (part.startsWith("[") && part.endsWith("]")) {
            return new Indexes(list(part.substring(1, part.length() - 1), dimension));
        }
        List<String> numbers = List.of(part.split(":", -1));
        return switch (numbers.size()) {
            case 1 -> new Index(index(part, dimension));
            case 2 -> new Slice(number(numbers, 0), number(numbers, 1), null);
            case 3 -> new Slice(number(numbers, 0), number(numbers, 1), number(numbers, 2));
            default -> throw new IllegalArgumentException("it has too many colons");
        };
    }

    private static long[] list(String numbers, int dimension) {
        return numbers.isBlank()
                ? new long[0]
                : Stream.of(numbers.split(",", -1))
                        .mapToLong(number -> index(number.strip(), dimension))
                        .toArray();
    }

    private static long index(String number, int dimension) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            if (INTEGER.matcher(number).matches()) {
                throw new IndexOutOfBoundsException(
                        "index " + number + " of dimension " + dimension + " is beyond 64 bits");
            }
            throw new IllegalArgumentException("\"" + number + "\" is no index", e);
        }
    }

    /** Parses a bound. Bounds outside 64 bits are clamped, as in Python. */
    private static Long number(List<String> numbers, int i) {
        String number = numbers.get(i).strip();
        if (number.isEmpty()) {
            return null;
        }
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            if (INTEGER.matcher(number).matches()) {
                return number.startsWith("-") ? -Long.MAX_VALUE : Long.MAX_VALUE;
            }
            throw new IllegalArgumentException("\"" + number + "\" is no integer", e);
        }
    }

    /** Adds the positions of the next dimension, which has this length. */
    abstract void resolve(ResolvedSelection.Builder resolved, long length);

    /** {@code ...}, which the selection expands. */
    static final class Rest extends DimensionSelection {
        private static final Rest REST = new Rest();

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            resolved.all(length);
        }

        @Override
        public String toString() {
            return "...";
        }
    }

    /** A single position. */
    static final class Index extends DimensionSelection {
        final long at;

        Index(long at) {
            this.at = at;
        }

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            resolved.index(at, length);
        }

        @Override
        public String toString() {
            return Long.toString(at);
        }
    }

    /** {@code count} positions from {@code start} on; all must be in the array. */
    static final class Box extends DimensionSelection {
        private final long start;
        private final long count;
        private final long step;

        Box(long start, long count, long step) {
            this.start = start;
            this.count = count;
            this.step = step;
        }

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            resolved.box(start, count, step, length);
        }

        @Override
        public String toString() {
            return count + " from " + start + " by " + step;
        }
    }

    /** {@code start:stop:step}; null for an omitted part. */
    static final class Slice extends DimensionSelection {
        final Long start;
        final Long stop;
        final Long step;

        Slice(Long start, Long stop, Long step) {
            this.start = start;
            this.stop = stop;
            this.step = step;
        }

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            resolved.slice(start, stop, step, length);
        }

        @Override
        public String toString() {
            return show(start) + ":" + show(stop) + (step == null ? "" : ":" + step);
        }

        private static String show(Long number) {
            return number == null ? "" : number.toString();
        }
    }

    /** Listed positions. */
    static final class Indexes extends DimensionSelection {
        private final long[] positions;

        Indexes(long[] positions) {
            this.positions = positions;
        }

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            resolved.indexes(positions, length);
        }

        @Override
        public String toString() {
            return positions.length <= SHOWN_MAX
                    ? Arrays.toString(positions)
                    : positions.length + " indexes";
        }
    }

    /** A mask. */
    static final class Mask extends DimensionSelection {
        private final boolean[] mask;

        Mask(boolean[] mask) {
            this.mask = mask;
        }

        @Override
        void resolve(ResolvedSelection.Builder resolved, long length) {
            if (mask.length != length) {
                throw new IndexOutOfBoundsException(
                        "a mask of "
                                + mask.length
                                + " elements for dimension "
                                + resolved.size()
                                + ", which has length "
                                + length);
            }
            resolved.indexes(Masks.positions(mask), length);
        }

        @Override
        public String toString() {
            return "a mask of " + mask.length + " elements";
        }
    }
}
