package io.zarrengine.gpu.chunk;

import java.lang.foreign.MemorySegment;

/** Memory of the host that a device copies from by itself. Threads: any. */
public interface CopySource {
    /** {@return all of it} */
    MemorySegment segment();

    /** {@return where a copy ends at the latest that begins with a byte} */
    long windowEnd(long offset);

    /** {@return whether it was lent to a read, and others wait for it} */
    boolean isLent();

    /** Keeps it as it is until a matching {@link #release}. */
    void retain();

    /** A user needs it no more. */
    void release();
}
