package io.zarrengine.zarr.shuffle;

/**
 * Whether a kernel with vectors may be used for all of a chunk yet. Until the compiler has made
 * instructions of it, its vectors are objects, and it is many times slower than the scalar loop.
 * Until then it gets a sixteenth of each chunk, which is enough to be compiled soon and to be
 * timed, and the scalar loop the rest.
 *
 * <p>Threads: any; a lost update costs a chunk more.
 */
final class VectorWarmup {
    /** So many chunks in a row: a loop may also have lost because its thread was interrupted. */
    private static final int WINS = 4;

    /** One of so many parts of a chunk. */
    static final long SHARE = 16;

    private volatile int wins;

    /** {@return whether the kernel with vectors is the faster one} */
    boolean isOver() {
        return wins >= WINS;
    }

    /**
     * {@return how much of a chunk the kernel with vectors should do}
     *
     * @param units what there is
     * @param step what it does at once: the result is a multiple of it
     */
    long share(long units, long step) {
        return isOver()
                ? units - units % step
                : Math.min(Math.ceilDiv(units / SHARE, step), units / step) * step;
    }

    /** Compares the time that both took, for their parts of a chunk. */
    void compare(long vectorNanos, long vectorBytes, long scalarNanos, long scalarBytes) {
        boolean faster = (double) vectorNanos * scalarBytes < (double) scalarNanos * vectorBytes;
        wins = faster ? Math.min(wins + 1, WINS) : 0;
    }
}
