package io.zarrengine.zarr.device;

/**
 * How large a batch is to be when it is launched.
 *
 * <p>A multiprocessor decodes so many chunks at a time, a warp each. What it takes for them grows
 * by steps, therefore: a <em>wave</em> of chunks on all multiprocessors takes little longer than
 * one chunk, and one chunk more than a wave nearly half as long again. So batches end with a wave,
 * and what is left over of many of them goes first, while the device would wait anyway: last, it
 * would take as long as a wave. Measured with nvCOMP's zstd: docs/gpu.md. Threads: any.
 */
final class BatchSizes {
    /** Chunks of one multiprocessor. */
    static final int CHUNKS_AT_ONCE = 32;

    /** Fewer take as long. */
    static final int CHUNKS_MIN = 1024;

    /** What a wave is less on average, since slots are not split. */
    private static final int SLACK = 64;

    private final int wave;

    /** {@code multiprocessors}: of the device. */
    BatchSizes(int multiprocessors) {
        wave = CHUNKS_AT_ONCE * multiprocessors;
    }

    /**
     * {@return whether a batch is large enough for a device that waits for it, while more is to
     * come} What follows is to be whole waves, or half batches if those are smaller.
     *
     * @param chunks in it
     * @param share of a batch that they take
     * @param toCome chunks that no batch has
     */
    boolean isFirst(int chunks, double share, long toCome) {
        long unit = Math.max(1, (long) Math.min(wave - SLACK, chunks / share / 2));
        long over = (chunks + toCome - 1) % unit + 1;
        boolean isNearlyAll = toCome < CHUNKS_MIN && (chunks + toCome) * share <= chunks;
        return chunks >= Math.max(CHUNKS_MIN, over) && !isNearlyAll;
    }

    /**
     * {@return whether a batch is to end before the next slot} Not if all that is to come fits it,
     * and comes while the device decodes: with a wave its rest takes less than on its own.
     *
     * @param chunks in it
     * @param share of a batch that they take
     * @param next chunks of the next slot
     * @param toCome chunks that no batch has, with the next slot's
     * @param running chunks that the device decodes, which takes it as long as copying so many
     */
    boolean endsBefore(int chunks, double share, int next, long toCome, int running) {
        boolean isLast = toCome <= running && (chunks + toCome) * share <= chunks;
        boolean isWhole = (chunks - 1) / wave < (chunks + next - 1) / wave;
        return isWhole && !isLast && chunks >= CHUNKS_MIN;
    }
}
