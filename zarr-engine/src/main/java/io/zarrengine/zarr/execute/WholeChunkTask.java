package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;

/** A chunk that is read whole, in one stretch. */
final class WholeChunkTask implements ReadTask {
    private final ChunkTask chunk;

    WholeChunkTask(ChunkTask chunk) {
        this.chunk = chunk;
    }

    void start(TaskRunner runner) {
        boolean isKept =
                runner.placer().keeps(chunk.request(), chunk.pipeline())
                        && runner.placer()
                                .placeKept(chunk.request(), chunk.pipeline(), key(), chunk.parts());
        if (isKept) {
            chunk.parent().partEnded();
            return;
        }
        chunk.file().retain();
        runner.startRead(
                this,
                0,
                chunk.offset(),
                chunk.bytes(),
                chunk.pipeline().workspaceBytes(chunk.bytes()));
    }

    private DecodedChunks.Key key() {
        return new DecodedChunks.Key(
                chunk.file().version(), chunk.offset(), chunk.bytes(), chunk.pipeline());
    }

    @Override
    public boolean isWanted() {
        return !chunk.request().hasFailed();
    }

    @Override
    public void fail(Throwable cause) {
        chunk.request().fail(cause);
    }

    @Override
    public FileHandle file() {
        return chunk.file();
    }

    @Override
    public String describe(int stretch) {
        return chunk.label();
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        runner.placer()
                .deliver(
                        chunk.request(),
                        chunk.pipeline(),
                        bytes,
                        chunk.parts(),
                        this::key,
                        chunk::label);
    }

    @Override
    public void ended(int stretch) {
        chunk.file().release();
        chunk.parent().partEnded();
    }
}
