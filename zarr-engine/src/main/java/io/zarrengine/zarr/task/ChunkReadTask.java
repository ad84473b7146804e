package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.sink.ChunkBlock;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.sink.StoredStretch;
import io.zarrengine.zarr.sink.StretchChunks;

/** Reads stretches of a chunk for one request. */
abstract class ChunkReadTask implements ReadTask {
    final ChunkTask chunk;

    ChunkReadTask(ChunkTask chunk) {
        this.chunk = chunk;
    }

    /**
     * {@return the longest run of chunks that the request's sink reads itself; 0 if it reads none}
     */
    final long bytesOfSink(ChunkPipeline pipeline) {
        ChunkSink sink = chunk.placement().sink();
        return sink == null ? 0 : sink.readsItself(chunk.file(), pipeline);
    }

    /** Has the request's sink, if there is one, read a stretch; false if it does not. */
    final boolean tryReadBySink(
            TaskRunner runner,
            ChunkPipeline pipeline,
            long offset,
            long bytes,
            StretchChunks chunks) {
        return tryReadBySink(runner, pipeline, offset, bytes, chunks, null);
    }

    /** The same of a block of a chunk, unless that is null. */
    final boolean tryReadBySink(
            TaskRunner runner,
            ChunkPipeline pipeline,
            long offset,
            long bytes,
            StretchChunks chunks,
            ChunkBlock block) {
        ChunkSink sink = chunk.placement().sink();
        if (sink == null) {
            return false;
        }
        var stretch =
                new StoredStretch(
                        chunk.file(), chunk.offset() + offset, bytes, pipeline, chunks, block);
        boolean isRead = sink.tryRead(stretch, runner.placer().workspace());
        if (isRead) {
            long read = 0;
            for (int i = 0; i < chunks.count(); i++) { // Between them nothing was read.
                read += chunks.bytes(i);
                runner.countRead(chunks.bytes(i));
            }
            runner.placer().countTaken(block == null ? chunks.count() : 0, read);
        }
        return isRead;
    }

    @Override
    public final RecordedRead recorded() {
        return chunk.placement().recorded();
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
    public final LentMemory tryLend(long bytes) {
        boolean isLent = chunk.request().isLentMemoryFor(file().alignment());
        return isLent ? chunk.placement().sink().tryLend(bytes) : null;
    }

    @Override
    public String describe(int stretch) {
        return chunk.label();
    }
}
