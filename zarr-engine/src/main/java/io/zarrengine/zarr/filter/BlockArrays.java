package io.zarrengine.zarr.filter;

/**
 * Arrays that hold a block of numbers, allocated on first use. For one thread at a time. Loops use
 * these arrays because C2 does not vectorize loops over an array that the same compilation
 * allocates, which costs two thirds of their speed.
 */
public final class BlockArrays {
    private float[] floats;
    private double[] doubles;
    private long[] longs;

    /** Allocates nothing yet. */
    public BlockArrays() {}

    float[] floats() {
        if (floats == null) {
            floats = new float[NumberBlocks.LENGTH];
        }
        return floats;
    }

    double[] doubles() {
        if (doubles == null) {
            doubles = new double[NumberBlocks.LENGTH];
        }
        return doubles;
    }

    long[] longs() {
        if (longs == null) {
            longs = new long[NumberBlocks.LENGTH];
        }
        return longs;
    }
}
