package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/** The read that a chunk belongs to. Threads: any. */
public interface OwningRead {
    /** {@return the memory on the device that its elements go to} */
    DeviceSlice target();

    /** {@return whether nobody wants its elements any more} */
    boolean hasFailed();

    /** Cancels the read. It still has to end. */
    void fail(Throwable cause);

    /** A slot has some of its chunks: before the workers have handed everything over. */
    void shareBegins();

    /** A batch has chunks of it. */
    void batched(int chunks);

    /** The chunks of a share are where they belong, or given up. */
    void shareEnded();
}
