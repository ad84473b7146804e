package io.zarrengine.zarr.sink;

import java.lang.foreign.MemorySegment;

/** Memory of a {@link ChunkSink} that bytes of a file are read to. Owner: who read them. */
public interface LentMemory extends AutoCloseable {
    /** {@return all of it; begins at a page} */
    MemorySegment segment();

    /** {@return what it is a part of, and many others are; it outlives the workers} */
    MemorySegment whole();

    /** The owner needs it no more; the sink may go on with what it holds. */
    @Override
    void close();
}
