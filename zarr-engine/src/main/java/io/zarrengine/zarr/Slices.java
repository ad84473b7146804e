package io.zarrengine.zarr;

import java.util.List;

/**
 * The slices of an array that a {@link SliceLoader} reads, by number: what is read depends on the
 * number alone, so that a run can be repeated, and resumed. A lambda is an endless sequence.
 *
 * <pre>{@code
 * Slices crops = number -> { // of 64 x 64 elements, at random, of an array of 1000 x 1000
 *     SplittableRandom random = new SplittableRandom(seed ^ number);
 *     long[] corner = {random.nextLong(1000 - 64), random.nextLong(1000 - 64)};
 *     return Selection.box(corner, new long[] {64, 64});
 * };
 * }</pre>
 */
@FunctionalInterface
public interface Slices {
    /**
     * {@return a slice; always the same one of a number}
     *
     * @param number from 0, below {@link #count}
     */
    Selection get(long number);

    /** {@return how many slices there are; {@link Long#MAX_VALUE}: they do not end} */
    default long count() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return the slices of a list, in its order}
     *
     * @param selections the slices
     */
    static Slices of(List<Selection> selections) {
        List<Selection> copy = List.copyOf(selections);
        return new Slices() {
            @Override
            public Selection get(long number) {
                return copy.get(Math.toIntExact(number));
            }

            @Override
            public long count() {
                return copy.size();
            }
        };
    }
}
