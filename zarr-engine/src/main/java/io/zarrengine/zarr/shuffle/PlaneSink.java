package io.zarrengine.zarr.shuffle;

import java.lang.foreign.MemorySegment;

/** Gets elements of a chunk as planes of bytes. */
public interface PlaneSink {
    /** {@return the first wanted byte of the decoded chunk} */
    long from();

    /** {@return the end of the wanted bytes, exclusive} */
    long to();

    /** {@return the size of the array's elements; the size of shuffled elements must divide it} */
    int elementBytes();

    /**
     * {@return memory to decode the chunk to, in its own order, if its elements are not shuffled or
     * their size does not fit}
     *
     * @param bytes its decoded size
     */
    MemorySegment memory(long bytes);

    /**
     * Takes a block.
     *
     * @param block its elements, valid during the call; those after the wanted bytes are undefined
     * @param at offset of the block in the decoded chunk, in bytes, after the previous block
     */
    void put(BytePlanes block, long at);
}
