package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.store.ChunkLocation;
import java.util.List;

/** Starts the task that reads a chunk. */
final class ChunkDispatch {
    private ChunkDispatch() {}

    /**
     * Starts reading a chunk of an array. If this throws, nothing has begun.
     *
     * @throws CorruptChunkException if its size is impossible
     */
    static void start(
            TaskRunner runner,
            ReadRequest request,
            ChunkLocation stored,
            ChunkPipeline pipeline,
            List<Region> parts) {
        start(runner, task(request, stored, pipeline, parts));
    }

    /**
     * {@return a chunk of an array, to start}
     *
     * @throws CorruptChunkException if its size is impossible
     */
    static ChunkTask task(
            ReadRequest request, ChunkLocation stored, ChunkPipeline pipeline, List<Region> parts) {
        String label = stored.path().toString();
        ChunkPipeline inFile = inFile(stored, pipeline, label);
        requireSize(stored.bytes(), inFile, label);
        return new ChunkTask(
                request,
                request,
                stored.file(),
                stored.offset(),
                stored.bytes(),
                label,
                inFile,
                parts);
    }

    /** {@return the encoding of a chunk in the file that holds it} */
    private static ChunkPipeline inFile(
            ChunkLocation stored, ChunkPipeline pipeline, String label) {
        if (stored.deflated().isEmpty()) {
            return pipeline;
        }
        ChunkLocation.Deflated chunk = stored.deflated().get();
        requireSize(chunk.bytes(), pipeline, label);
        return pipeline.inZip(chunk.bytes(), chunk.crc32());
    }

    /**
     * Starts reading a chunk in the way that suits it. If this throws, nothing has begun.
     *
     * @throws CorruptChunkException if its size is impossible
     */
    static void start(TaskRunner runner, ChunkTask chunk) {
        ChunkPipeline pipeline = chunk.pipeline();
        requireSize(chunk.bytes(), pipeline, chunk.label());
        long blockBytes =
                SinkBlocksTask.blockBytes(chunk.placement().sink(), chunk.file(), pipeline);
        if (blockBytes > 0) {
            new SinkBlocksTask(chunk, blockBytes).start(runner);
        } else if (ChunkTask.isReadInParts(pipeline)) {
            new ShardTask(chunk).start(runner);
        } else if (RawChunkTask.takes(chunk.placement(), pipeline, runner.placer())) {
            new RawChunkTask(chunk).start(runner);
        } else {
            new OneStretchTask(chunk).start(runner);
        }
    }

    private static void requireSize(long bytes, ChunkPipeline pipeline, String label) {
        String problem = ChunkTask.sizeProblem(bytes, pipeline);
        if (problem != null) {
            throw new CorruptChunkException(label, problem, null);
        }
    }
}
