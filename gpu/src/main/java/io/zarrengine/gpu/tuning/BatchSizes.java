package io.zarrengine.gpu.tuning;

/**
 * How large a batch is to be when it is launched.
 *
 * <p>A multiprocessor decodes so many chunks at a time, a warp each. What it takes for them grows
 * by steps, therefore: a <em>wave</em> of chunks on all multiprocessors takes little longer than
 * one chunk, and one chunk more than a wave nearly half as long again. So batches end with a wave,
 * and what is left over of many of them goes first, while the device would wait anyway: last, it
 * would take as long as a wave. Measured with nvCOMP's zstd: docs/decisions/whole-waves.md.
 * Threads: any.
 */
public final class BatchSizes {
    /** Chunks of one multiprocessor. */
    static final int CHUNKS_AT_ONCE = 32;

    /** Fewer take nearly as long. */
    static final int CHUNKS_MIN = 1024;

    /** What a batch misses of a wave on average: half a slot of chunks of 64 KiB. */
    private static final int SLACK = 64;

    private final int wave;

    /** {@code multiprocessors}: of the device. */
    public BatchSizes(int multiprocessors) {
        wave = CHUNKS_AT_ONCE * multiprocessors;
    }

    /**
     * {@return how many chunks more make a batch large enough for a device that waits for it} What
     * follows is to be whole waves, or whole batches where those are smaller; but the last few are
     * waited for.
     *
     * @param chunks in it
     * @param share of a batch that they take
     * @param toCome chunks that no batch has
     */
    long missing(int chunks, double share, long toCome) {
        if (toCome < CHUNKS_MIN && fits(chunks, share, toCome)) {
            return toCome;
        }
        double most = chunks / share;
        long unit = Math.max(1, (long) Math.min(wave, most) - SLACK);
        long over = (chunks + toCome - 1) % unit + 1;
        long least = (long) Math.min(CHUNKS_MIN, most);
        return Math.max(0, Math.max(least, over) - chunks);
    }

    /**
     * {@return whether the next slot would begin another wave} It had better do so if all that is
     * to come {@link #fits}, and comes in time: a few chunks take less that way than on their own.
     *
     * @param chunks in the batch, of which there is one at least
     * @param next chunks of the next slot
     */
    boolean isWhole(int chunks, int next) {
        return chunks >= CHUNKS_MIN && (chunks - 1) / wave < (chunks + next - 1) / wave;
    }

    /** {@return whether a batch has room for what is to come, if that is like what is in it} */
    static boolean fits(int chunks, double share, long toCome) {
        return (chunks + toCome) * share <= chunks;
    }
}
