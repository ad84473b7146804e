package io.zarrengine.gpu.tuning;

/**
 * Computes how large a batch must be before it is launched.
 *
 * <p>A multiprocessor decodes {@link #CHUNKS_AT_ONCE} chunks at a time, one per warp. The decode
 * time therefore grows in steps: a <em>wave</em> of chunks on all multiprocessors takes little
 * longer than one chunk, and one chunk more than a wave takes nearly half as long again. Batches
 * therefore end with a whole wave. The remainder of several batches goes first, while the device
 * would wait anyway; at the end it would take as long as a wave. Measured with nvCOMP's zstd:
 * docs/decisions/whole-waves.md. Threads: any.
 */
public final class BatchSizes {
    /** Chunks that one multiprocessor decodes at a time. */
    static final int CHUNKS_AT_ONCE = 32;

    /** The smallest useful batch: fewer chunks take nearly as long. */
    static final int CHUNKS_MIN = 1024;

    /**
     * The average number of chunks that a batch lacks of a wave: half a slot of chunks of 64 KiB.
     */
    private static final int SLACK = 64;

    private final int wave;

    /** {@code multiprocessors} is the number on the device. */
    public BatchSizes(int multiprocessors) {
        wave = CHUNKS_AT_ONCE * multiprocessors;
    }

    /**
     * {@return the number of chunks that the open batch lacks before it is large enough for an idle
     * device} The chunks after it should be whole waves, or whole batches where those are smaller.
     * The last few chunks are always waited for.
     *
     * @param chunks the number of chunks in the batch
     * @param share the share of the batch that they take
     * @param toCome the number of chunks that are in no batch yet
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
     * {@return whether the next slot would begin another wave} The slot should still join the batch
     * if all chunks to come {@link #fits fit} and arrive in time, because a few chunks take less
     * time there than in a batch of their own.
     *
     * @param chunks the number of chunks in the batch, at least 1
     * @param next the number of chunks in the next slot
     */
    boolean isWhole(int chunks, int next) {
        return chunks >= CHUNKS_MIN && (chunks - 1) / wave < (chunks + next - 1) / wave;
    }

    /** {@return whether a batch has room for all chunks to come, if they are like those in it} */
    static boolean fits(int chunks, double share, long toCome) {
        return (chunks + toCome) * share <= chunks;
    }
}
