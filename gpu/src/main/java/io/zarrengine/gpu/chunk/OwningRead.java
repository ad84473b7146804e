package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/** The read that a chunk belongs to. Threads: any. */
public interface OwningRead {
    /** {@return the device memory that its elements go to} */
    DeviceSlice target();

    /** {@return whether the read has failed, so that its elements are not needed} */
    boolean hasFailed();

    /** Cancels the read. Its chunks must still end. */
    void fail(Throwable cause);

    /**
     * Notes that a slot has some of its chunks. Called before the workers have handed over all
     * chunks.
     */
    void shareBegins();

    /** Notes that a batch has some of its chunks. */
    void batched(int chunks);

    /** Notes that the chunks of a share are placed, or given up. */
    void shareEnded();
}
