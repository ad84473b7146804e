package io.zarrengine.gpu.tuning;

/**
 * How a device's memory is used.
 *
 * @param budgetBytes all device memory that the engine may take; 0 is half of what is free
 * @param slots pinned slots
 * @param slotBytes the size of each, a multiple of 4096; a chunk that may not fit goes another way
 * @param batchChunks chunks of one launch at most
 * @param batchBytes decoded bytes of one launch at most
 * @param loadMin chunks that must be under way for the device to decode any, of 64 KiB or less; a
 *     larger one counts for several. Below that, the workers do, since a launch takes milliseconds
 *     even for one chunk; with 0 it decodes whatever it can, also what the workers would have
 *     decoded sooner
 * @param partBytesMin the size from which parts of chunks go to the device one by one, if chunks
 *     have several; smaller ones are put together on the host
 * @param directBytesMax the longest stretch that is read around the host's memory, which must be
 *     able to read it as well; 0 if none is
 * @param decodesUnchecked whether the device decodes chunks of which no checksum was compared
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
        boolean decodesUnchecked) {
    /** One that is filled and one that is copied; with more, caches lose what they hold of them. */
    private static final int SLOTS_PER_WORKER = 2;

    /** So many copies keep the link busy. */
    private static final int SLOTS_MIN = 16;

    private static final int SLOTS_MAX = 64; // They are pinned, beyond any budget.

    private static final int SLOT_BYTES = 4 << 20;

    /**
     * nvCOMP gains little beyond; two {@link BatchSizes waves} of the GPUs that it was measured on.
     */
    private static final int BATCH_CHUNKS = 2 * BatchSizes.CHUNKS_AT_ONCE * 132;

    private static final long BATCH_BYTES = (long) BATCH_CHUNKS * (64 << 10);

    /** What {@link #loadMin} counts; of smaller chunks each. */
    public static final long LOAD_CHUNK_BYTES = 64 << 10;

    /**
     * Break-even of zstd in chunks of 64 KiB against 16 cores is 420: docs/decisions/gpu-hybrid.md.
     */
    private static final long LOAD_MIN_PER_WORKER = 26;

    /** Twice what describing a part takes. */
    private static final long PART_BYTES_MIN = 512;

    /** Parts of a chunk that are more than this share of a batch's are split, and decoded again. */
    private static final int CHUNKS_OF_MANY_PARTS = 8;

    /**
     * {@return the options that fit a machine}
     *
     * @param budgetBytes all device memory that the engine may take; 0 is half of what is free
     * @param workers threads that would decode otherwise
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
                true);
    }

    /**
     * {@return these options}
     *
     * @param newDirectBytesMax the longest stretch that is read around the host's memory
     */
    public DeviceOptions readingDirectly(long newDirectBytesMax) {
        return new DeviceOptions(
                budgetBytes,
                slots,
                slotBytes,
                batchChunks,
                batchBytes,
                loadMin,
                partBytesMin,
                newDirectBytesMax,
                decodesUnchecked);
    }

    /**
     * {@return these options}
     *
     * @param newDecodesUnchecked whether chunks are decoded of which no checksum was compared
     */
    public DeviceOptions decodingUnchecked(boolean newDecodesUnchecked) {
        return new DeviceOptions(
                budgetBytes,
                slots,
                slotBytes,
                batchChunks,
                batchBytes,
                loadMin,
                partBytesMin,
                directBytesMax,
                newDecodesUnchecked);
    }

    /** {@return parts of chunks that one launch puts in their places at most} */
    public int partsMax() {
        return 2 * batchChunks;
    }

    /** {@return parts of one chunk at most} */
    public int partsOfChunkMax() {
        return Math.max(1, partsMax() / CHUNKS_OF_MANY_PARTS);
    }

    /** {@return parts of all chunks of a slot at most: a slot with more goes before it is full} */
    public int partsOfSlotMax() {
        return partsOfChunkMax();
    }
}
