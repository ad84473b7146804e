package io.zarrengine.zarr.loader;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.plan.GridPosition;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Crops at random, without end. Immutable. With weights, the places where a crop can begin ({@code
 * shape - crop + 1} along each dimension) are divided into equal cells: a cell is drawn by its
 * weight, then a place in it, each as likely as any other.
 */
public final class RandomCrops implements Sampler {
    private final long[] places;
    private final long[] crop;
    private final long run;
    private final long[] cells;
    private final double[] sums; // of the weights up to each cell; null without weights

    private RandomCrops(long[] places, long[] crop, long run, long[] cells, double[] sums) {
        this.places = places;
        this.crop = crop;
        this.run = run;
        this.cells = cells;
        this.sums = sums;
    }

    static RandomCrops uniform(long[] shape, long[] crop, long seed) {
        long[] one = new long[shape.length];
        Arrays.fill(one, 1);
        long run = new SplittableRandom(seed).nextLong();
        return new RandomCrops(Grid.places(shape, crop), crop.clone(), run, one, null);
    }

    /**
     * {@return crops whose first element lies in a cell that is drawn by its weight}
     *
     * @param newCells number of cells along each dimension
     * @param weights one for each cell, in C order, finite and not negative
     * @throws IllegalArgumentException if the numbers do not fit, or all weights are 0
     */
    public RandomCrops weights(long[] newCells, double... weights) {
        checkCells(newCells, weights.length);
        double[] newSums = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (!(weights[i] >= 0 && weights[i] <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("weight " + i + " is " + weights[i]);
            }
            sum += weights[i];
            newSums[i] = sum;
        }
        if (!(sum > 0 && sum <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("the sum of the weights is " + sum);
        }
        return new RandomCrops(places, crop, run, newCells.clone(), newSums);
    }

    /**
     * {@return crops whose first element lies in an allowed cell; each allowed place is as likely
     * as any other}
     *
     * @param newCells number of cells along each dimension
     * @param allowed one for each cell, in C order
     * @throws IllegalArgumentException if the numbers do not fit, or nothing is allowed
     */
    public RandomCrops mask(long[] newCells, boolean... allowed) {
        checkCells(newCells, allowed.length);
        double[] weights = new double[allowed.length];
        for (int i = 0; i < weights.length; i++) {
            long[] cell = GridPosition.of(i, newCells);
            double size = 1;
            for (int d = 0; d < cell.length; d++) {
                size *= begin(d, cell[d] + 1, newCells[d]) - begin(d, cell[d], newCells[d]);
            }
            weights[i] = allowed[i] ? size : 0;
        }
        return weights(newCells, weights);
    }

    private void checkCells(long[] newCells, int given) {
        boolean fit = newCells.length == places.length;
        for (int d = 0; fit && d < places.length; d++) {
            fit = newCells[d] >= 1 && newCells[d] <= places[d];
        }
        if (!fit || Grid.count(newCells) != given) {
            throw new IllegalArgumentException(
                    "%d numbers for cells of %s, where a crop can begin in %s places"
                            .formatted(given, Arrays.toString(newCells), Arrays.toString(places)));
        }
    }

    /** {@return the first place of a cell} */
    private long begin(int dimension, long cell, long count) {
        long whole = places[dimension] / count;
        return cell * whole + Math.min(cell, places[dimension] % count);
    }

    @Override
    public Selection get(long number) {
        SplittableRandom random = new SplittableRandom(Permutation.mixed(run + number));
        long[] corner = GridPosition.of(sums == null ? 0 : draw(random), cells);
        for (int d = 0; d < corner.length; d++) {
            long cell = corner[d];
            corner[d] = random.nextLong(begin(d, cell, cells[d]), begin(d, cell + 1, cells[d]));
        }
        return Selection.box(corner, crop);
    }

    /** {@return a cell; never one of weight 0} */
    private int draw(SplittableRandom random) {
        double at = random.nextDouble() * sums[sums.length - 1]; // from 0, below the sum
        int low = 0;
        int high = sums.length - 1;
        while (low < high) { // the first cell whose sum is greater
            int middle = (low + high) >>> 1;
            if (sums[middle] > at) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
