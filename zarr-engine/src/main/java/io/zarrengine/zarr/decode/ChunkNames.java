package io.zarrengine.zarr.decode;

/** What numbered chunks are kept under, and called in messages. Threads: any. */
public interface ChunkNames {
    /** {@return what a chunk is kept under} */
    DecodedChunks.Key keyOf(int i);

    /** {@return what a chunk is called} */
    String labelOf(int i);
}
