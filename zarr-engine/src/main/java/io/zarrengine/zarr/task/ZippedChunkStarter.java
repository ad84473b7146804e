package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.ZippedChunk;
import io.zarrengine.zarr.store.ZippedObjects;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Starts reading chunks in a zip file that is an object of a store. The zip file's directory tells
 * which chunks exist, and their sizes. Threads: any.
 */
final class ZippedChunkStarter implements ChunkStarter {
    private final ZippedObjects zip;

    ZippedChunkStarter(ZippedObjects zip) {
        this.zip = zip;
    }

    @Override
    public void start(
            TaskRunner runner,
            ReadRequest request,
            String key,
            ChunkPipeline pipeline,
            List<Region> parts) {
        WantedChunk wanted = new WantedChunk(request, key, pipeline, parts);
        Optional<ZippedChunk> chunk = find(wanted);
        if (chunk.isEmpty()) {
            wanted.fill(runner);
            request.partEnded();
        } else if (chunk.get().isLocated()) {
            wanted.start(runner, chunk.get().in(zip.object()));
        } else {
            new ZippedChunkTask(wanted, chunk.get(), zip.object()).start(runner);
        }
    }

    private Optional<ZippedChunk> find(WantedChunk wanted) {
        try {
            return zip.find(wanted.key());
        } catch (IOException e) {
            throw StoreException.of(wanted.label(), e);
        }
    }
}
