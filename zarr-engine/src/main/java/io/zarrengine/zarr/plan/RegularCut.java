package io.zarrengine.zarr.plan;

/**
 * Cuts along chunks of equal length. Closed formulas: cost and memory are independent of the number
 * of chunks.
 */
final class RegularCut implements DimensionCut {
    private final long start;
    private final long step;
    private final long count;
    private final long chunkLength;

    /** {@code count} must be positive. */
    RegularCut(long start, long step, long count, long chunkLength) {
        this.start = start;
        this.step = step;
        this.count = count;
        this.chunkLength = chunkLength;
    }

    @Override
    public long cuts() {
        return skipsChunks() ? count : chunkOf(count - 1) - chunkOf(0) + 1;
    }

    @Override
    public long chunk(long i) {
        return skipsChunks() ? chunkOf(i) : chunkOf(0) + i;
    }

    @Override
    public long first(long i) {
        if (skipsChunks() || i == 0) {
            return i;
        }
        // At or after the chunk's origin.
        return Math.ceilDiv(chunk(i) * chunkLength - start, step);
    }

    @Override
    public long count(long i) {
        long end = i + 1 == cuts() ? count : first(i + 1);
        return end - first(i);
    }

    @Override
    public long startInChunk(long i) {
        return start + first(i) * step - chunk(i) * chunkLength;
    }

    /** If the step is larger than a chunk, each position has its own chunk. */
    private boolean skipsChunks() {
        return step > chunkLength;
    }

    private long chunkOf(long position) {
        return (start + position * step) / chunkLength;
    }
}
