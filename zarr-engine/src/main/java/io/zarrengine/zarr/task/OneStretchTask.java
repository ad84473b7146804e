package io.zarrengine.zarr.task;

import io.zarrengine.zarr.decode.ByteRange;
import io.zarrengine.zarr.decode.ChunkNames;
import io.zarrengine.zarr.decode.DecodedChunks;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.sink.StoredChunk;
import java.lang.foreign.MemorySegment;

/**
 * Reads a chunk in one stretch: the whole chunk, or, if it is stored as it is, from its first
 * wanted element to the last one.
 */
final class OneStretchTask extends ChunkReadTask implements ChunkNames {
    private final WantedRegions wanted;
    private boolean isRaw; // set once, before the read begins

    OneStretchTask(ChunkTask chunk) {
        super(chunk);
        wanted = WantedRegions.of(chunk.parts());
    }

    void start(TaskRunner runner) {
        boolean isKept =
                runner.placer().keeps(chunk.placement(), chunk.pipeline())
                        && runner.placer()
                                .placeKept(chunk.placement(), chunk.pipeline(), keyOf(0), wanted);
        if (isKept) {
            chunk.parent().partEnded();
            return;
        }
        StoredChunk stored = new StoredChunk(chunk.bytes(), chunk.parts(), chunk.label());
        if (tryReadBySink(runner, chunk.pipeline(), 0, chunk.bytes(), stored)) {
            chunk.parent().partEnded();
            return;
        }
        isRaw = runner.placer().takesRaw(chunk.placement(), chunk.pipeline());
        ByteRange read =
                isRaw
                        ? runner.placer().raw().range(chunk.pipeline(), wanted)
                        : new ByteRange(0, chunk.bytes());
        chunk.file().retain();
        runner.startRead(
                this,
                0,
                chunk.offset() + read.from(),
                read.bytes(),
                chunk.pipeline().workspaceBytes(chunk.bytes()));
    }

    @Override
    public DecodedChunks.Key keyOf(int i) {
        return new DecodedChunks.Key(
                chunk.file().version(), chunk.offset(), chunk.bytes(), chunk.pipeline().identity());
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        if (isRaw) {
            runner.placer().raw().placeChunk(chunk.placement(), chunk.pipeline(), bytes, wanted);
            return;
        }
        runner.placer().deliver(chunk.placement(), chunk.pipeline(), bytes, wanted, this, 0);
    }

    @Override
    public String labelOf(int i) {
        return chunk.label();
    }

    @Override
    public void ended(int stretch) {
        chunk.end();
    }
}
