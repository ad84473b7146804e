package io.zarrengine.zarr.write;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Stores the encoded chunks of an array. Threads: any; each chunk on one. */
public interface ChunkTarget {
    /**
     * Stores a chunk, or replaces it as a whole.
     *
     * @param key of the chunk
     * @param encoded valid during the call
     * @throws IOException if that fails; then the old chunk is there
     */
    void put(String key, MemorySegment encoded) throws IOException;

    /**
     * Removes a chunk, if it is there.
     *
     * @param key of the chunk
     * @throws IOException if that fails
     */
    void remove(String key) throws IOException;

    /**
     * Has arrays that are open read a chunk as it is stored now.
     *
     * @param key of the chunk
     */
    void refresh(String key);

    /**
     * {@return the name of a chunk, for messages}
     *
     * @param key of the chunk
     */
    String name(String key);
}
