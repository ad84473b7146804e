package io.zarrengine.zarr.shuffle;

import java.lang.foreign.MemorySegment;

/** Gets elements of a chunk whose bytes are still apart. */
public interface PlaneSink {
    /** {@return the first byte of the decoded chunk that is wanted} */
    long from();

    /** {@return the byte behind the last one wanted} */
    long to();

    /** {@return the size of the array's elements: that of shuffled ones must divide it} */
    int elementBytes();

    /**
     * {@return where the chunk is decoded to, in its own order, if its elements are not shuffled,
     * or not in a way that fits}
     *
     * @param bytes its decoded size
     */
    MemorySegment memory(long bytes);

    /**
     * Takes a block.
     *
     * @param block its elements, valid during the call; those behind the last one wanted are
     *     undefined
     * @param at where they lie in the decoded chunk, in bytes; behind the block before
     */
    void put(BytePlanes block, long at);
}
