package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.MissingChunkException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.WantedRegions;
import io.zarrengine.zarr.store.ChunkLocation;
import java.util.List;

/**
 * A part of a request: what it wants of one chunk in an object.
 *
 * @param request the request
 * @param key the chunk, relative to the array
 * @param pipeline its encoding
 * @param parts the positions wanted of it, in its encoded dimensions
 */
record WantedChunk(ReadRequest request, String key, ChunkPipeline pipeline, List<Region> parts) {
    String label() {
        return request.source().files().root().resolve(key).toString();
    }

    /** Starts reading the chunk where it is. If this throws, nothing has begun. */
    void start(TaskRunner runner, ChunkLocation location) {
        ChunkDispatch.start(runner, request, location, pipeline, parts);
    }

    /** Fills in for a chunk that does not exist. If this throws, the part has not ended. */
    void fill(TaskRunner runner) {
        if (!request.placement().fillsMissing()) {
            throw new MissingChunkException(label());
        }
        runner.placer().fill(request.placement(), pipeline, WantedRegions.of(parts));
    }
}
