package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/** A stretch of a file in memory of the device, which has users. Threads: any. */
public interface ResidentMemory {
    /** {@return a part of the stretch} */
    DeviceSlice slice(long offset, long bytes);

    /** Keeps it as it is until a matching {@link #release}. */
    void retain();

    /** A user needs it no more. */
    void release();
}
