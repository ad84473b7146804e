package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.codec.CodecException;
import java.lang.foreign.MemorySegment;

/** A chunk that is read whole, in one stretch. */
final class WholeChunkTask implements ReadTask {
    private final ChunkTask chunk;

    WholeChunkTask(ChunkTask chunk) {
        this.chunk = chunk;
    }

    void start(Worker worker) {
        chunk.file().retain();
        worker.startRead(
                this,
                0,
                chunk.offset(),
                chunk.bytes(),
                chunk.pipeline().workspaceBytes(chunk.bytes()));
    }

    @Override
    public ReadRequest request() {
        return chunk.request();
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
    public void arrived(Worker worker, int stretch, MemorySegment bytes) throws CodecException {
        worker.placer()
                .deliver(chunk.request(), chunk.pipeline(), bytes, chunk.parts(), chunk::label);
    }

    @Override
    public void ended(int stretch) {
        chunk.file().release();
        chunk.parent().partEnded();
    }
}
