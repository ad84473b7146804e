package io.zarrengine.zarr.decode;

/** Cache keys and names of numbered chunks. Threads: any. */
public interface ChunkNames {
    /** {@return the cache key of a chunk} */
    DecodedChunks.Key keyOf(int i);

    /** {@return the name of a chunk, for messages} */
    String labelOf(int i);
}
