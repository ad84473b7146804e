package io.zarrengine.zarr.task;

import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.ObjectFiles;
import io.zarrengine.zarr.store.ZippedObjects;
import java.util.List;

/** Starts reading chunks that are objects of a store. Threads: any. */
@FunctionalInterface
public interface ObjectChunkStarter {
    /** {@return what starts the chunks of an array; null if they are in files} */
    static ObjectChunkStarter of(ChunkFiles files) {
        return switch (files.objects()) {
            case null -> null;
            case ObjectFiles objects -> new ObjectChunks(objects);
            case ZippedObjects zip -> new ZippedChunks(zip);
        };
    }

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
