package io.zarrengine.zarr.codec;

import java.lang.foreign.MemorySegment;

/** Gets a decoded chunk block by block, in order, from the first byte on. */
public interface BlockSink {
    /** {@return the byte behind the last one wanted} */
    long to();

    /**
     * Takes a block.
     *
     * @param block its bytes, valid during the call
     * @param at where they lie in the decoded chunk: behind the block before
     */
    void put(MemorySegment block, long at);
}
