package io.zarrengine.zarr.sink;

import java.lang.foreign.MemorySegment;

/** Memory of a {@link ChunkSink} for reads of files. Owner: the worker that borrowed it. */
public interface LentMemory extends AutoCloseable {
    /** {@return all of the memory; begins at a page} */
    MemorySegment segment();

    /** {@return the block that this memory and others are parts of; outlives the workers} */
    MemorySegment whole();

    /** Gives the memory back to the sink, which may still use what it has taken of it. */
    @Override
    void close();
}
