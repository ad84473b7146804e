package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.decode.ByteRange;
import io.zarrengine.zarr.decode.ChunkNames;
import io.zarrengine.zarr.decode.DecodedChunks;
import io.zarrengine.zarr.decode.Placement;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.sink.LentMemory;
import io.zarrengine.zarr.store.StoredObject;
import java.lang.foreign.MemorySegment;

/**
 * Reads a chunk by one request to a store that has not told whether the chunk exists, nor its size:
 * all of the chunk, or, if it is stored as it is, from its first wanted element to the last one.
 */
final class ObjectChunkTask implements ReadTask, ChunkNames {
    private final ObjectChunkStarter chunks;
    private final WantedChunk wanted;
    private final WantedRegions regions;
    private final StoredObject object;
    private boolean isRaw; // set once, before the read begins

    ObjectChunkTask(ObjectChunkStarter chunks, WantedChunk wanted) {
        this.chunks = chunks;
        this.wanted = wanted;
        this.regions = WantedRegions.of(wanted.parts());
        this.object = chunks.unopened(wanted.key());
    }

    /** {@return how many bytes may come of a chunk, at most} */
    static long readBytes(TaskRunner runner, WantedChunk wanted) {
        return range(runner, wanted, WantedRegions.of(wanted.parts())).bytes();
    }

    private static ByteRange range(TaskRunner runner, WantedChunk wanted, WantedRegions regions) {
        ChunkPipeline pipeline = wanted.pipeline();
        return runner.placer().takesRaw(wanted.request().placement(), pipeline)
                ? runner.placer().raw().range(pipeline, regions)
                : new ByteRange(0, pipeline.encodedBytesExact().orElse(pipeline.encodedBytesMax()));
    }

    void start(TaskRunner runner) {
        isRaw = runner.placer().takesRaw(placement(), pipeline());
        ByteRange read = range(runner, wanted, regions);
        long workspaceBytes = isRaw ? 0 : pipeline().workspaceBytes(read.bytes());
        runner.startRead(this, 0, read.from(), read.bytes(), workspaceBytes);
    }

    private Placement placement() {
        return wanted.request().placement();
    }

    private ChunkPipeline pipeline() {
        return wanted.pipeline();
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        if (bytes == null) {
            wanted.fill(runner);
            return;
        }
        StoredObject found = object.opened();
        String problem = ChunkTask.sizeProblem(found.byteSize(), pipeline());
        if (problem != null) {
            throw new CorruptChunkException(wanted.label(), problem, null);
        }
        if (isRaw) {
            runner.placer().raw().placeChunk(placement(), pipeline(), bytes, regions);
            return;
        }
        if (runner.placer().keeps(placement(), pipeline())) {
            chunks.remember(wanted.key(), found); // Else nobody finds what is kept of it.
        }
        runner.placer().deliver(placement(), pipeline(), bytes, regions, this, 0);
    }

    @Override
    public DecodedChunks.Key keyOf(int i) {
        StoredObject found = object.opened();
        return new DecodedChunks.Key(found.version(), 0, found.byteSize(), pipeline().identity());
    }

    @Override
    public String labelOf(int i) {
        return wanted.label();
    }

    @Override
    public String describe(int stretch) {
        return wanted.label();
    }

    @Override
    public boolean takesWhatThereIs() {
        return true;
    }

    @Override
    public LentMemory tryLend(long bytes) {
        boolean isLent = wanted.request().isLentMemoryFor(object.alignment());
        return isLent ? placement().sink().tryLend(bytes) : null;
    }

    @Override
    public RecordedRead recorded() {
        return placement().recorded();
    }

    @Override
    public FileHandle file() {
        return object;
    }

    @Override
    public boolean isWanted() {
        return !wanted.request().hasFailed();
    }

    @Override
    public void fail(Throwable cause) {
        wanted.request().fail(cause);
    }

    @Override
    public void ended(int stretch) {
        wanted.request().partEnded();
    }
}
