package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.MissingChunkException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.store.ChunkLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Hands out the chunks of a request. Threads: any. */
public final class RequestChunks implements WorkSource {
    private final ReadRequest request;

    public RequestChunks(ReadRequest request) {
        this.request = request;
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        long ordinal = request.takeChunk();
        if (ordinal < 0) {
            return false;
        }
        if (request.hasFailed()) {
            request.partEnded();
            return true;
        }
        try {
            start(runner, ordinal);
        } catch (RuntimeException | Error e) { // For example a corrupt chunk or a closed target.
            request.fail(e);
            request.partEnded();
        }
        return true;
    }

    @Override
    public boolean isToLentMemory() {
        return request.isLentMemoryFor(request.source().files().alignment());
    }

    @Override
    public boolean hasNext() {
        return request.hasNextChunk();
    }

    @Override
    public void fail(Throwable cause) {
        request.fail(cause);
    }

    /** Starts a chunk. If this throws, nothing has begun. */
    private void start(TaskRunner runner, long ordinal) {
        ChunkPipeline pipeline = request.source().pipelines().of(coordinates(ordinal));
        List<Region> regions = pipeline.toEncodedOrder(request.plan().parts(ordinal));
        ChunkStarter objects = request.source().objects();
        if (objects != null) {
            objects.start(runner, request, key(ordinal), pipeline, regions);
            return;
        }
        Optional<ChunkLocation> stored = open(ordinal);
        if (stored.isEmpty() && !request.placement().fillsMissing()) {
            throw new MissingChunkException(path(ordinal));
        }
        if (stored.isEmpty()) {
            runner.placer().fill(request.placement(), pipeline, WantedRegions.of(regions));
            request.partEnded();
            return;
        }
        try {
            ChunkDispatch.start(runner, request, stored.get(), pipeline, regions);
        } finally {
            release(stored.get()); // The task retains it.
        }
    }

    /** Releases the file. Never throws, because the task may have ended the chunk already. */
    private void release(ChunkLocation stored) {
        try {
            stored.file().release();
        } catch (OutOfMemoryError e) {
            request.fail(e);
        }
    }

    private Optional<ChunkLocation> open(long ordinal) {
        try {
            return request.source().files().open(key(ordinal));
        } catch (IOException e) {
            throw StoreException.of(path(ordinal), e);
        }
    }

    private String path(long ordinal) {
        return request.source().files().root().resolve(key(ordinal)).toString();
    }

    private String key(long ordinal) {
        return request.source().keys().key(coordinates(ordinal));
    }

    private long[] coordinates(long ordinal) {
        return request.plan().coordinates(ordinal);
    }
}
