package io.zarrengine.zarr.sink;

import io.zarrengine.zarr.plan.Region;
import java.util.List;

/**
 * The numbered chunks of a stretch that has not been read yet, with their wanted parts. Threads:
 * any.
 */
public interface StretchChunks {
    /** {@return the number of chunks; at least one} */
    int count();

    /**
     * {@return the offset of a chunk in the stretch, in bytes}
     *
     * @param i number of the chunk
     */
    long offset(int i);

    /**
     * {@return the encoded size of a chunk, in bytes}
     *
     * @param i number of the chunk
     */
    long bytes(int i);

    /**
     * {@return the positions wanted, in the chunk's encoded dimensions; at least one} May create a
     * new list on each call.
     *
     * @param i number of the chunk
     */
    List<Region> parts(int i);

    /**
     * {@return the name of a chunk, for messages}
     *
     * @param i number of the chunk
     */
    String label(int i);
}
