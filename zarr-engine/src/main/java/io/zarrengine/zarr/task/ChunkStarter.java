package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import java.util.List;

/** Starts reading the chunks of an array that are in objects of a store. Threads: any. */
@FunctionalInterface
public interface ChunkStarter {
    /**
     * Starts reading a chunk. If this throws, nothing has begun.
     *
     * @param key the chunk, relative to the array
     * @param parts the positions wanted of it, in its encoded dimensions
     */
    void start(
            TaskRunner runner,
            ReadRequest request,
            String key,
            ChunkPipeline pipeline,
            List<Region> parts);
}
