package io.zarrengine.zarr.codec;

/**
 * Whether a kernel with vectors may be used for all of a chunk yet. Until the compiler has made
 * instructions of it, its vectors are objects, and it is many times slower than the scalar loop.
 * Until then it gets one step of each chunk, and both are timed.
 *
 * <p>Threads: any; a lost update costs a chunk more.
 */
final class VectorWarmup {
    /** So many chunks in a row: a loop may also have lost because its thread was interrupted. */
    private static final int WINS = 16;

    private volatile int wins;

    /** {@return whether the kernel with vectors is the faster one} */
    boolean isOver() {
        return wins >= WINS;
    }

    /** Compares the time that both took, for their parts of a chunk. */
    void compare(long vectorNanos, long vectorBytes, long scalarNanos, long scalarBytes) {
        boolean faster = (double) vectorNanos * scalarBytes < (double) scalarNanos * vectorBytes;
        wins = faster ? Math.min(wins + 1, WINS) : 0;
    }
}
