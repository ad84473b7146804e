package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;

/** Reads stretches of a chunk for one request. */
abstract class ChunkReadTask implements ReadTask {
    final ChunkTask chunk;

    ChunkReadTask(ChunkTask chunk) {
        this.chunk = chunk;
    }

    @Override
    public final boolean isWanted() {
        return !chunk.request().hasFailed();
    }

    @Override
    public final void fail(Throwable cause) {
        chunk.request().fail(cause);
    }

    @Override
    public final FileHandle file() {
        return chunk.file();
    }

    @Override
    public String describe(int stretch) {
        return chunk.label();
    }
}
