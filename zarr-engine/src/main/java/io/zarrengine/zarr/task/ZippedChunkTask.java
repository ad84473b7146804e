package io.zarrengine.zarr.task;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.store.ChunkLocation;
import io.zarrengine.zarr.store.StoredObject;
import io.zarrengine.zarr.store.ZippedChunk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Reads a chunk whose local header in the zip file is not known: the header together with the
 * chunk, if most of a small chunk is wanted; else the header, and then what is wanted.
 */
final class ZippedChunkTask implements ReadTask {
    private final WantedChunk wanted;
    private final ZippedChunk zipped;
    private final StoredObject zip;
    private boolean isHandedOver; // another task ends the part; set before the read ends

    ZippedChunkTask(WantedChunk wanted, ZippedChunk zipped, StoredObject zip) {
        this.wanted = wanted;
        this.zipped = zipped;
        this.zip = zip;
    }

    /** If this throws, nothing has begun. */
    void start(TaskRunner runner) {
        ChunkTask chunk = chunk(); // Its offset is wrong yet, but its size and encoding are right.
        boolean isWhole =
                zipped.likelyBytes() <= ObjectChunkStarter.WHOLE_BYTES_MAX
                        && isWhole(runner, chunk);
        long bytes = isWhole ? zipped.likelyBytes() : zipped.headerBytes();
        long workspaceBytes = isWhole ? chunk.pipeline().workspaceBytes(chunk.bytes()) : 0;
        runner.startRead(this, 0, zipped.headerOffset(), bytes, workspaceBytes);
    }

    private ChunkTask chunk() {
        ChunkLocation location = zipped.in(zip);
        return ChunkDispatch.task(wanted.request(), location, wanted.pipeline(), wanted.parts());
    }

    /** {@return whether a chunk is read as a whole, or nearly so} */
    private static boolean isWhole(TaskRunner runner, ChunkTask chunk) {
        boolean isInBlocks =
                SinkBlocksTask.blockBytes(chunk.placement().sink(), chunk.file(), chunk.pipeline())
                        > 0;
        if (isInBlocks || ChunkTask.isReadInParts(chunk.pipeline())) {
            return false;
        }
        return !runner.placer().takesRaw(chunk.placement(), chunk.pipeline())
                || 2
                                * runner.placer()
                                        .raw()
                                        .range(chunk.pipeline(), WantedRegions.of(chunk.parts()))
                                        .bytes()
                        >= chunk.bytes();
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        try {
            zipped.locate(
                    bytes.asSlice(0, zipped.headerBytes()).toArray(JAVA_BYTE), zip.byteSize());
        } catch (IOException e) {
            throw StoreException.of(wanted.label(), e);
        }
        ChunkTask chunk = chunk();
        long from = chunk.offset() - zipped.headerOffset();
        if (bytes.byteSize() >= from + chunk.bytes()) {
            MemorySegment content = bytes.asSlice(from, chunk.bytes());
            new OneStretchTask(chunk).arrived(runner, stretch, content);
        } else {
            ChunkDispatch.start(runner, chunk);
            isHandedOver = true;
        }
    }

    @Override
    public void ended(int stretch) {
        if (!isHandedOver) {
            wanted.request().partEnded();
        }
    }

    @Override
    public String describe(int stretch) {
        return wanted.label();
    }

    @Override
    public RecordedRead recorded() {
        return wanted.request().recorded();
    }

    @Override
    public FileHandle file() {
        return zip;
    }

    @Override
    public boolean isWanted() {
        return !wanted.request().hasFailed();
    }

    @Override
    public void fail(Throwable cause) {
        wanted.request().fail(cause);
    }
}
