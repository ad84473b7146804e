package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.sink.ChunkBlock;
import io.zarrengine.zarr.sink.ChunkSink;
import io.zarrengine.zarr.sink.StoredChunk;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a chunk whose elements are stored as they are, and that is larger than the request's sink
 * takes at once. The sink gets a block for each slab.
 */
final class SinkBlocksTask extends SlabsTask {
    private final List<Long> blockShape;

    /** {@code bytes}: of a block, from {@link #blockBytes}. */
    SinkBlocksTask(ChunkTask chunk, long bytes) {
        super(chunk, bytes);
        blockShape = Arrays.stream(slabs.shape()).boxed().toList();
    }

    /** {@return the size of the blocks that a sink takes of a chunk; 0 if it takes none} */
    static long blockBytes(ChunkSink sink, FileHandle file, ChunkPipeline pipeline) {
        return sink != null && pipeline.isPlain() ? sink.blockBytes(file, pipeline) : 0;
    }

    /** Starts the task; if this throws, nothing has begun. */
    void start(TaskRunner runner) {
        begin(runner, 0);
    }

    @Override
    void startStretch(TaskRunner runner, int stretch) {
        long offset = stretches().offset(stretch);
        long bytes = stretches().bytes(stretch);
        StoredChunk stored = new StoredChunk(bytes, parts(stretch), chunk.label());
        if (tryReadBySink(runner, pipeline, offset, bytes, stored, block(stretch))) {
            ended(stretch);
        } else {
            runner.startRead(this, stretch, fileOffset(stretch), bytes, 0);
        }
    }

    /** {@return the slab of a stretch: nothing was fused} */
    private int slab(int stretch) {
        return stretches().piece(stretch);
    }

    private ChunkBlock block(int stretch) {
        long from = stretches().offset(stretch) - slabs.offset(slab(stretch));
        return new ChunkBlock(blockShape, from);
    }

    private List<Region> parts(int stretch) {
        return slabs.pieces().parts(slab(stretch));
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) {
        ChunkSink sink = chunk.placement().sink();
        sink.takeBlock(pipeline, block(stretch), bytes, parts(stretch), chunk::label);
        runner.placer().countTaken(0, bytes.byteSize());
    }
}
