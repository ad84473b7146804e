package io.zarrengine.zarr.codec;

import java.lang.foreign.MemorySegment;

/** Gets a decoded chunk block by block, in order, from the first byte. */
public interface BlockSink {
    /** {@return the end of the wanted bytes, exclusive} */
    long to();

    /**
     * Takes a block.
     *
     * @param block its bytes, valid during the call
     * @param at offset of the block in the decoded chunk, after the previous block
     */
    void put(MemorySegment block, long at);
}
