package io.zarrengine.zarr.execute;

import java.lang.foreign.MemorySegment;

/** Memory of a {@link ChunkSink} that bytes of a file are read to. Owner: who read them. */
public interface LentMemory extends AutoCloseable {
    /** {@return all of it; begins at a page} */
    MemorySegment segment();

    /** The owner needs it no more; the sink may go on with what it holds. */
    @Override
    void close();
}
