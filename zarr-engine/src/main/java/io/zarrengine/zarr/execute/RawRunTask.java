package io.zarrengine.zarr.execute;

import java.lang.foreign.MemorySegment;

/**
 * A large chunk whose elements are stored as they are, and are one run of bytes there and in the
 * target: copied from where the page cache holds it, in parts that are large.
 *
 * <p>Copies of 2.5 MiB and more HotSpot writes around the caches where vectors have 64 bytes: what
 * the target held before is then not read first, which makes them 1.5 times as fast as shorter
 * ones. A consumer of so much finds little of it in a cache either way.
 */
final class RawRunTask implements WorkSource {
    private static final long PART_BYTES_MIN = 4 << 20;

    private final ChunkTask chunk;
    private final ByteRange run; // in the chunk
    private final long targetOffset; // where it goes, in bytes
    private final long partBytes;
    private final Parts parts;
    private volatile boolean isInVain; // some of it is not in memory

    private RawRunTask(ChunkTask chunk, ByteRange run, long targetOffset) {
        this.chunk = chunk;
        this.run = run;
        this.targetOffset = targetOffset;
        long count = run.bytes() / PART_BYTES_MIN;
        this.partBytes = Math.ceilDiv(run.bytes(), count);
        this.parts = new Parts(count);
    }

    /**
     * Starts copying a chunk that {@link RawChunkTask#takes}; false if it is no such run, or not in
     * memory. Throws before anything has begun, or not at all.
     */
    static boolean tryStart(TaskRunner runner, ChunkTask chunk) {
        RawPlacer raw = runner.placer().raw();
        long targetOffset = raw.runOffset(chunk.pipeline(), chunk.parts());
        if (targetOffset < 0) {
            return false;
        }
        ByteRange run = raw.range(chunk.pipeline(), chunk.parts());
        if (run.bytes() < 2 * PART_BYTES_MIN) {
            return false;
        }
        var task = new RawRunTask(chunk, run, targetOffset);
        chunk.file().retain();
        if (!task.tryCopy(runner, task.parts.take())) {
            chunk.file().release();
            return false;
        }
        task.parts.endOne(); // There are others.
        runner.offer(task);
        return true;
    }

    /** {@return whether nothing is left to do with a part, also because that failed} */
    private boolean tryCopy(TaskRunner runner, long part) {
        long from = part * partBytes;
        long bytes = Math.min(partBytes, run.bytes() - from);
        try {
            return runner.copyNow(
                    chunk.file(),
                    chunk.offset() + run.from() + from,
                    bytes,
                    stored -> copy(runner, stored, targetOffset + from));
        } catch (RuntimeException | Error e) {
            chunk.request().fail(e);
            Thread.interrupted(); // As in Worker.
            return true;
        }
    }

    private void copy(TaskRunner runner, MemorySegment stored, long to) {
        MemorySegment.copy(stored, 0, chunk.request().target(), to, stored.byteSize());
        runner.placer().raw().placed(stored.byteSize());
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        long part = parts.take();
        if (part < 0) {
            return false;
        }
        if (!isInVain && !chunk.request().hasFailed() && !tryCopy(runner, part)) {
            isInVain = true;
        }
        if (parts.endOne()) {
            end(runner);
        }
        return true;
    }

    /** If something was not there, all of it is read: what was there a second time. */
    private void end(TaskRunner runner) {
        try {
            if (isInVain && !chunk.request().hasFailed()) {
                new RawChunkTask(chunk).start(runner);
                return;
            }
            runner.placer().raw().begin();
        } catch (RuntimeException | Error e) {
            chunk.request().fail(e);
        } finally {
            chunk.file().release();
        }
        chunk.parent().partEnded();
    }
}
