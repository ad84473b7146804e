package io.zarrengine.zarr.device;

import java.lang.foreign.MemorySegment;

/** Memory of the host that a device copies from by itself. Threads: any. */
interface CopySource {
    /** {@return all of it} */
    MemorySegment segment();

    /** {@return where a copy ends at the latest that begins with a byte} */
    long windowEnd(long offset);

    /** {@return whether others wait for it, so that copies had better be soon} */
    boolean isScarce();

    /** Keeps it as it is until a matching {@link #release}. */
    void retain();

    /** A user needs it no more. */
    void release();
}
