package io.zarrengine.gpu.chunk;

import java.lang.foreign.MemorySegment;

/** Host memory that a device copies from by itself. Threads: any. */
public interface CopySource {
    /** {@return the whole memory} */
    MemorySegment segment();

    /** {@return the end of the window that contains an offset} No copy crosses it. */
    long windowEnd(long offset);

    /** {@return whether the memory was lent to a read, so that other reads wait for it} */
    boolean isLent();

    /** Keeps the memory unchanged until a matching {@link #release}. */
    void retain();

    /** Ends a {@link #retain}. */
    void release();
}
