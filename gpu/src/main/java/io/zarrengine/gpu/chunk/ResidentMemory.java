package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.DeviceSlice;

/** Device memory with a stretch of a file, counted by its users. Threads: any. */
public interface ResidentMemory {
    /** {@return a part of the stretch} */
    DeviceSlice slice(long offset, long bytes);

    /** Keeps the memory unchanged until a matching {@link #release}. */
    void retain();

    /** Ends a {@link #retain}. */
    void release();
}
