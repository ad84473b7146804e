package io.zarrengine.zarr.filter;

/**
 * Arrays that hold a block of numbers, made when they are first asked for. For one thread at a
 * time. Not made where they are used: of loops over an array that one compilation allocates, C2
 * makes no vectors, which costs them two thirds of their speed.
 */
public final class BlockArrays {
    private float[] floats;
    private double[] doubles;
    private long[] longs;

    /** None so far. */
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
