package io.zarrengine.zarr;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The slices of an array that a {@link SliceLoader} reads, by number. A slice depends on its number
 * alone, so that a run can be repeated and resumed. A lambda is an endless sequence.
 *
 * <pre>{@code
 * long run = new SplittableRandom(seed).nextLong();
 * Slices crops = number -> { // of 64 x 64 elements, at random, of an array of 1000 x 1000
 *     SplittableRandom random = new SplittableRandom(run ^ number);
 *     long[] corner = {random.nextLong(1000 - 64 + 1), random.nextLong(1000 - 64 + 1)};
 *     return Selection.box(corner, new long[] {64, 64});
 * };
 * }</pre>
 */
@FunctionalInterface
public interface Slices {
    /**
     * {@return the slice of a number; the same number always gives the same slice}
     *
     * <p>Called by the thread that makes a loader, and by the thread that takes its steps, for the
     * steps that are read ahead. It should be quick, because it does not overlap with reading.
     *
     * @param number from 0, below {@link #count}
     */
    Selection get(long number);

    /** {@return the number of slices; {@link Long#MAX_VALUE} for an endless sequence} */
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

    /**
     * {@return these slices repeated without end, each pass in another random order; a batch may
     * join the end of one pass and the beginning of the next}
     *
     * @param seed the same seed gives the same orders
     * @throws IllegalStateException if this sequence is endless too
     */
    default Slices shuffled(long seed) {
        long count = count();
        if (count == Long.MAX_VALUE) {
            throw new IllegalStateException("slices that do not end have no order at random");
        }
        if (count == 0) {
            return this;
        }
        Permutation order = new Permutation(count);
        long run = new SplittableRandom(seed).nextLong();
        return number -> {
            long epoch = number / count;
            return get(order.at(number % count, run ^ epoch));
        };
    }
}
