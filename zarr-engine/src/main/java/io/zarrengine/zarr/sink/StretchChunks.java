package io.zarrengine.zarr.sink;

import io.zarrengine.zarr.plan.Region;
import java.util.List;

/** What is wanted of a stretch that nobody has read: its chunks, numbered. Threads: any. */
public interface StretchChunks {
    /** {@return how many there are; at least one} */
    int count();

    /**
     * {@return where a chunk begins in the stretch, in bytes}
     *
     * @param i which
     */
    long offset(int i);

    /**
     * {@return a chunk's encoded size, in bytes}
     *
     * @param i which
     */
    long bytes(int i);

    /**
     * {@return the positions wanted, in the chunk's encoded dimensions; at least one} They may be
     * made anew each time.
     *
     * @param i which
     */
    List<Region> parts(int i);

    /**
     * {@return what a chunk is, for messages}
     *
     * @param i which
     */
    String label(int i);
}
