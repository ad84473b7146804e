package io.zarrengine.zarr.plan;

/**
 * The positions of one dimension, cut along chunks of equal length: cut {@code i} is what falls
 * into the {@code i}-th chunk that holds a position. Closed formulas: a billion chunks cost
 * nothing.
 */
final class DimensionCut {
    private final long start;
    private final long step;
    private final long count;
    private final long chunkLength;

    /** {@code count} must be positive. */
    DimensionCut(long start, long step, long count, long chunkLength) {
        this.start = start;
        this.step = step;
        this.count = count;
        this.chunkLength = chunkLength;
    }

    /** {@return how many chunks hold a position} */
    long cuts() {
        return skipsChunks() ? count : chunkOf(count - 1) - chunkOf(0) + 1;
    }

    /** {@return the coordinate of the chunk of cut {@code i}} */
    long chunk(long i) {
        return skipsChunks() ? chunkOf(i) : chunkOf(0) + i;
    }

    /** {@return the number of the first position in cut {@code i}} */
    long first(long i) {
        if (skipsChunks() || i == 0) {
            return i;
        }
        return Math.ceilDiv(chunk(i) * chunkLength - start, step); // At or behind its origin.
    }

    /** {@return the number of positions in cut {@code i}} */
    long count(long i) {
        long end = i + 1 == cuts() ? count : first(i + 1);
        return end - first(i);
    }

    /** {@return where the first position of cut {@code i} lies in its chunk, in elements} */
    long startInChunk(long i) {
        return start + first(i) * step - chunk(i) * chunkLength;
    }

    /** Positions lie further apart than chunks are long: each has a chunk of its own. */
    private boolean skipsChunks() {
        return step > chunkLength;
    }

    private long chunkOf(long position) {
        return (start + position * step) / chunkLength;
    }
}
