package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;

/**
 * Decides whether the device or a worker decodes a chunk that both could decode. {@link
 * CostDecoderRule} chooses the side that would sooner finish all chunks in flight; {@link
 * FixedDecoderRule} is its twin, which always chooses the device. Owner: the device's executor.
 * Threads: any.
 */
public interface DecoderRule {
    /** {@return whether enough chunks are in flight for the device to decode any} */
    default boolean isLoaded() {
        return isLoadedWith(0);
    }

    /** {@return the same, with more chunks in flight} */
    boolean isLoadedWith(long moreChunks);

    /**
     * {@return whether the device should decode a chunk}
     *
     * @param streamBytes decoded bytes of each of the chunk's streams
     * @param streams the number of streams, which nvCOMP decodes in parallel
     */
    boolean prefersDevice(NvcompFormat format, long streamBytes, long streams);

    /**
     * {@return whether the device should decode a chunk although {@link #prefersDevice} is false,
     * so that both decode}
     *
     * @param chunks the number of chunks of the read, which must justify this alone because chunks
     *     of other reads may differ
     */
    boolean isPartWelcome(NvcompFormat format, long chunkBytes, long chunks);

    /**
     * {@return whether a worker should decode a chunk although {@link #prefersDevice} is true, so
     * that both decode}
     */
    boolean isHelpDue(NvcompFormat format, long chunkBytes);
}
