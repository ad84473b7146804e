package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.ChunkPipeline;
import java.util.List;
import java.util.function.Supplier;

/** Reads stretches of a chunk for one request. */
abstract class ChunkReadTask implements ReadTask {
    final ChunkTask chunk;

    ChunkReadTask(ChunkTask chunk) {
        this.chunk = chunk;
    }

    /** Has the request's sink read a stretch; false if there is none, or it cannot. */
    final boolean tryReadBySink(
            TaskRunner runner,
            ChunkPipeline pipeline,
            ByteRange range,
            Supplier<List<StoredStretch.Chunk>> chunks) {
        ChunkSink sink = chunk.request().sink();
        if (sink == null || sink.readsItself(chunk.file(), pipeline) == 0) {
            return false;
        }
        long offset = chunk.offset() + range.from();
        var stretch = new StoredStretch(chunk.file(), offset, range.bytes(), chunks.get());
        boolean isRead = sink.tryRead(stretch);
        if (isRead) {
            runner.countRead(range.bytes());
        }
        return isRead;
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
