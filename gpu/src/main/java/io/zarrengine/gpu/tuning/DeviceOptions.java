package io.zarrengine.gpu.tuning;

/**
 * Sizes and limits of the memory and batches of a device.
 *
 * @param budgetBytes device memory that the engine may take; 0 is half of the free memory
 * @param slots number of pinned slots
 * @param slotBytes size of each slot, a multiple of 4096; a chunk that may not fit takes another
 *     path
 * @param batchChunks maximum chunks of one launch
 * @param batchBytes maximum decoded bytes of one launch
 * @param loadMin minimum chunks in flight for the device to decode any. A chunk of up to 64 KiB
 *     counts once, a larger one several times. Below the minimum the workers decode, because a
 *     launch takes milliseconds even for one chunk. 0 selects {@link FixedDecoderRule}: the device
 *     decodes all it can, even if the workers would finish sooner
 * @param partBytesMin size from which the parts of chunks with several parts go to the device one
 *     by one; smaller parts are put together on the host
 * @param directBytesMax the longest stretch that is read directly to device memory, and that host
 *     memory must be able to take too; 0 turns direct reads off
 * @param decodesUnchecked whether the device decodes chunks without a compared checksum
 * @param launchesAtOnce whether an idle device takes what has arrived: selects {@link
 *     FixedLaunchRule}
 */
public record DeviceOptions(
        long budgetBytes,
        int slots,
        int slotBytes,
        int batchChunks,
        long batchBytes,
        long loadMin,
        long partBytesMin,
        long directBytesMax,
        boolean decodesUnchecked,
        boolean launchesAtOnce) {
    /** One is filled and one is copied. With more, the caches lose their content. */
    private static final int SLOTS_PER_WORKER = 2;

    /** This many copies keep the link busy. */
    private static final int SLOTS_MIN = 16;

    private static final int SLOTS_MAX = 64; // pinned memory is outside any budget

    private static final int SLOT_BYTES = 4 << 20;

    /**
     * nvCOMP gains little beyond two {@link BatchSizes waves} of the GPUs measured (132
     * multiprocessors).
     */
    private static final int BATCH_CHUNKS = 2 * BatchSizes.CHUNKS_AT_ONCE * 132;

    private static final long BATCH_BYTES = (long) BATCH_CHUNKS * (64 << 10);

    /** The chunk size that {@link #loadMin} counts as one. Smaller chunks count as one each. */
    public static final long LOAD_CHUNK_BYTES = 64 << 10;

    /**
     * The break-even of zstd in chunks of 64 KiB against 16 cores is 420:
     * docs/decisions/gpu-hybrid.md.
     */
    private static final long LOAD_MIN_PER_WORKER = 26;

    /** Twice the cost of describing a part. */
    private static final long PART_BYTES_MIN = 512;

    /**
     * Divisor for the share of a batch's parts that one chunk may have. A chunk with more parts is
     * split, and decoded once for each share.
     */
    private static final int CHUNKS_OF_MANY_PARTS = 8;

    /**
     * {@return the options that fit a machine}
     *
     * @param budgetBytes device memory that the engine may take; 0 is half of the free memory
     * @param workers number of threads that would decode otherwise
     */
    public static DeviceOptions of(long budgetBytes, int workers) {
        return new DeviceOptions(
                budgetBytes,
                Math.clamp((long) SLOTS_PER_WORKER * workers, SLOTS_MIN, SLOTS_MAX),
                SLOT_BYTES,
                BATCH_CHUNKS,
                BATCH_BYTES,
                LOAD_MIN_PER_WORKER * workers,
                PART_BYTES_MIN,
                0,
                true,
                false);
    }

    /**
     * {@return a copy of these options with another limit for direct reads}
     *
     * @param newDirectBytesMax the longest stretch that is read directly to device memory
     */
    public DeviceOptions readingDirectly(long newDirectBytesMax) {
        return with(loadMin, newDirectBytesMax, decodesUnchecked, launchesAtOnce);
    }

    /**
     * {@return a copy of these options with another choice for unchecked chunks}
     *
     * @param newDecodesUnchecked whether the device decodes chunks without a compared checksum
     */
    public DeviceOptions decodingUnchecked(boolean newDecodesUnchecked) {
        return with(loadMin, directBytesMax, newDecodesUnchecked, launchesAtOnce);
    }

    /** {@return a copy of these options with the fixed twin of each rule} */
    public DeviceOptions withFixedRules() {
        return with(0, directBytesMax, decodesUnchecked, true);
    }

    private DeviceOptions with(
            long newLoadMin,
            long newDirectBytesMax,
            boolean newDecodesUnchecked,
            boolean newLaunchesAtOnce) {
        return new DeviceOptions(
                budgetBytes,
                slots,
                slotBytes,
                batchChunks,
                batchBytes,
                newLoadMin,
                partBytesMin,
                newDirectBytesMax,
                newDecodesUnchecked,
                newLaunchesAtOnce);
    }

    /** {@return the maximum parts of chunks that one launch places} */
    public int partsMax() {
        return 2 * batchChunks;
    }

    /** {@return the maximum parts of one chunk} */
    public int partsOfChunkMax() {
        return Math.max(1, partsMax() / CHUNKS_OF_MANY_PARTS);
    }

    /**
     * {@return the maximum parts of all chunks of a slot; a slot with more parts goes before it is
     * full}
     */
    public int partsOfSlotMax() {
        return partsOfChunkMax();
    }
}
