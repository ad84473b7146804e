package io.zarrengine.zarr.shuffle;

/**
 * Decides when a kernel with vectors may process whole chunks. Until it is compiled, its vectors
 * are objects, and it is many times slower than the scalar loop. Meanwhile it gets a sixteenth of
 * each chunk, which is enough to be compiled soon and to be timed. The scalar loop gets the rest.
 *
 * <p>Threads: any; a lost update costs one more chunk.
 */
final class VectorWarmup {
    /**
     * Chunks in a row on which the vectors must be faster. Several, because an interrupt of the
     * thread can slow the scalar loop.
     */
    private static final int WINS = 4;

    /** Part of a chunk for the vectors during warmup: one in this many. */
    static final long SHARE = 16;

    private volatile int wins;

    /** {@return whether the kernel with vectors is faster} */
    boolean isOver() {
        return wins >= WINS;
    }

    /**
     * {@return the part of a chunk for the kernel with vectors}
     *
     * @param units size of the chunk
     * @param step size that the kernel processes at once; the result is a multiple of it
     */
    long share(long units, long step) {
        return isOver()
                ? units - units % step
                : Math.min(Math.ceilDiv(units / SHARE, step), units / step) * step;
    }

    /** Compares the times of both kernels for their parts of a chunk. */
    void compare(long vectorNanos, long vectorBytes, long scalarNanos, long scalarBytes) {
        boolean faster = (double) vectorNanos * scalarBytes < (double) scalarNanos * vectorBytes;
        wins = faster ? Math.min(wins + 1, WINS) : 0;
    }
}
