package io.zarrengine.zarr.task;

import io.zarrengine.zarr.decode.Placement;
import io.zarrengine.zarr.decode.Placer;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.plan.WantedRegions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Reads a large chunk to memory of the host, if its elements are stored as they are. The task reads
 * slab by slab: a slab is still in the core's cache when it is copied to the target.
 */
final class RawChunkTask extends SlabsTask {
    private static final long SLAB_BYTES = 256 << 10;

    /** To copy a shorter stretch costs about as much as another system call. */
    private static final long STRAIGHT_BYTES_MIN = 64 << 10;

    private volatile boolean isStraightInVain; // the page cache lacked bytes once

    /** Creates the task of a chunk that {@link #takes} accepts. */
    RawChunkTask(ChunkTask chunk) {
        super(chunk, SLAB_BYTES);
    }

    /** {@return whether this task can read a chunk, and the chunk is larger than a slab} */
    static boolean takes(Placement placement, ChunkPipeline pipeline, Placer placer) {
        return pipeline.decodedBytes() > SLAB_BYTES && placer.takesRaw(placement, pipeline);
    }

    /** Starts the task; if this throws, nothing has begun. */
    void start(TaskRunner runner) {
        begin(runner, runner.fusedBytesMax(chunk.file()));
    }

    @Override
    void startStretch(TaskRunner runner, int stretch) {
        if (tryPlaceMapped(runner, stretch, stretch + 1) || readStraight(runner, stretch)) {
            ended(stretch);
        } else {
            runner.startRead(this, stretch, fileOffset(stretch), stretches().bytes(stretch), 0);
        }
    }

    /** Reads long rows from the page cache directly to the target; returns whether it has. */
    private boolean readStraight(TaskRunner runner, int stretch) {
        Stretches stretches = stretches();
        int slab = stretches.begin(stretch);
        long bytes = stretches.bytes(stretch);
        if (isStraightInVain || bytes < STRAIGHT_BYTES_MIN || stretches.end(stretch) > slab + 1) {
            return false;
        }
        WantedRegions regions = runner.placer().slab(slabs.pieces(), stretches.piece(slab));
        List<MemorySegment> rows =
                runner.placer()
                        .raw()
                        .straightRows(chunk.placement(), pipeline, slabs.shape(), regions);
        if (rows.isEmpty()) {
            return false;
        }
        if (!runner.readNow(chunk.file(), fileOffset(stretch), rows)) {
            isStraightInVain = true;
            return false;
        }
        if (recorded() != null) {
            recorded().read(bytes, 0);
        }
        runner.placer().raw().placed(chunk.placement(), bytes);
        return true;
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) {
        Stretches stretches = stretches();
        for (int i = stretches.begin(stretch); i < stretches.end(stretch); i++) {
            long at = stretches.pieceOffset(i) - stretches.offset(stretch);
            WantedRegions regions = runner.placer().slab(slabs.pieces(), stretches.piece(i));
            MemorySegment wanted = bytes.asSlice(at, stretches.pieceBytes(i));
            runner.placer()
                    .raw()
                    .place(chunk.placement(), pipeline, slabs.shape(), wanted, regions);
        }
    }
}
