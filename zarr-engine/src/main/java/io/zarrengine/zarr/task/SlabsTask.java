package io.zarrengine.zarr.task;

import io.zarrengine.zarr.decode.ByteRange;
import io.zarrengine.zarr.pipeline.ChunkPipeline;

/**
 * A large chunk whose elements are stored as they are. It is cut into slabs, and of each slab only
 * what lies between its first and its last wanted element is read: by whichever workers have room.
 */
abstract class SlabsTask extends StretchesTask {
    final ChunkPipeline pipeline;
    final Slabs slabs;

    /** {@code slabBytesMax}: of a slab that has more than one element. */
    SlabsTask(ChunkTask chunk, long slabBytesMax) {
        super(chunk);
        pipeline = chunk.pipeline();
        slabs = new Slabs(pipeline, slabBytesMax, chunk.parts());
    }

    /**
     * Throws before anything has begun, or not at all.
     *
     * @param fusedBytesMax the longest stretch of several slabs; 0 keeps each apart
     */
    final void begin(TaskRunner runner, long fusedBytesMax) {
        Stretches.Builder builder =
                new Stretches.Builder(slabs.count(), fusedBytesMax, chunk.file().alignment());
        for (int slab = 0; slab < slabs.count(); slab++) {
            ByteRange wanted = wanted(runner, slab);
            builder.add(slab, slabs.offset(slab) + wanted.from(), wanted.bytes());
        }
        setStretches(builder.build());
        chunk.file().retain();
        runner.placer().raw().begin();
        runner.offer(this);
    }

    /** From a slab's first wanted element to its last one, in bytes from its first element. */
    private ByteRange wanted(TaskRunner runner, int slab) {
        return runner.placer()
                .raw()
                .range(slabs.shape(), pipeline, runner.placer().slab(slabs.pieces(), slab));
    }
}
