package io.zarrengine.zarr.task;

import io.zarrengine.zarr.decode.ByteRange;
import io.zarrengine.zarr.pipeline.ChunkPipeline;

/**
 * Reads a large chunk whose elements are stored as they are. The task cuts the chunk into slabs,
 * and workers with room read each slab from its first wanted element to its last one.
 */
abstract class SlabsTask extends StretchesTask {
    final ChunkPipeline pipeline;
    final Slabs slabs;

    /** {@code slabBytesMax} limits slabs of several elements. */
    SlabsTask(ChunkTask chunk, long slabBytesMax) {
        super(chunk);
        pipeline = chunk.pipeline();
        slabs = new Slabs(pipeline, slabBytesMax, chunk.parts());
    }

    /**
     * Starts the task; if this throws, nothing has begun.
     *
     * @param fusedBytesMax the longest stretch of several slabs; 0 keeps each apart
     */
    final void begin(TaskRunner runner, long fusedBytesMax) {
        try (Stretches.Builder builder =
                new Stretches.Builder(chunk, slabs.count(), fusedBytesMax)) {
            for (int slab = 0; slab < slabs.count(); slab++) {
                ByteRange wanted = wanted(runner, slab);
                builder.add(slab, slabs.offset(slab) + wanted.from(), wanted.bytes());
            }
            setStretches(builder.build());
        }
        chunk.file().retain();
        runner.placer().raw().begin();
        runner.offer(this);
    }

    /** {@return the bytes from a slab's first wanted element to its last one} */
    private ByteRange wanted(TaskRunner runner, int slab) {
        return runner.placer()
                .raw()
                .range(slabs.shape(), pipeline, runner.placer().slab(slabs.pieces(), slab));
    }
}
