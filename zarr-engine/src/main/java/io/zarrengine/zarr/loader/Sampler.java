package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import java.util.List;

/**
 * The samples of an array, by number. A sample depends on its number alone, so that a run can be
 * repeated and resumed. A lambda is a generator without end:
 *
 * <pre>{@code
 * Sampler pairs = number -> Selection.of("%d:%d".formatted(number % 1000, number % 1000 + 2));
 * }</pre>
 */
@FunctionalInterface
public interface Sampler {
    /**
     * {@return the sample of a number; the same number always gives the same sample}
     *
     * <p>Called by the thread that makes a loader, and by the thread that takes its batches, for
     * the batches that are read ahead. It should be quick, because it does not overlap with
     * reading.
     *
     * @param number from 0, below {@link #count}
     */
    Selection get(long number);

    /** {@return the number of samples; {@link Long#MAX_VALUE} for a generator without end} */
    default long count() {
        return Long.MAX_VALUE;
    }

    /**
     * {@return the samples of a list, in its order}
     *
     * @param samples the samples
     */
    static Sampler of(List<Selection> samples) {
        return new SampleList(List.copyOf(samples));
    }

    /**
     * {@return windows along one dimension, whole in the others; windows that would reach beyond
     * the array are left out}
     *
     * @param shape the array's shape, in elements
     * @param dimension the dimension, from 0
     * @param length the length of a window along it
     * @param stride the distance from one window to the next
     * @throws IllegalArgumentException if a number is not positive, or no window fits
     */
    static Sampler windows(long[] shape, int dimension, long length, long stride) {
        if (dimension < 0 || dimension >= shape.length) {
            throw new IllegalArgumentException(
                    "dimension " + dimension + " of an array of " + shape.length + " dimensions");
        }
        long[] window = shape.clone();
        long[] strides = shape.clone();
        window[dimension] = length;
        strides[dimension] = stride;
        return sliding(shape, window, strides);
    }

    /**
     * {@return all windows at regular distances, in C order; windows that would reach beyond the
     * array are left out}
     *
     * @param shape the array's shape, in elements
     * @param window the length of a window along each dimension
     * @param stride the distance from one window to the next along each dimension
     * @throws IllegalArgumentException if the arrays differ in length, a number is not positive, or
     *     no window fits
     */
    static Sampler sliding(long[] shape, long[] window, long[] stride) {
        return SlidingWindows.of(shape, window, stride);
    }

    /**
     * {@return crops at random, without end; each position is as likely as any other}
     *
     * @param shape the array's shape, in elements
     * @param crop the length of a crop along each dimension
     * @param seed the same seed gives the same crops
     * @throws IllegalArgumentException if the arrays differ in length, or no crop fits
     */
    static RandomCrops crops(long[] shape, long[] crop, long seed) {
        return RandomCrops.uniform(shape, crop, seed);
    }
}
