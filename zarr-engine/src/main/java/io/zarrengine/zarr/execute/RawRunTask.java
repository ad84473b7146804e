package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileParts;
import java.lang.foreign.MemorySegment;

/**
 * A large chunk whose elements are stored as they are, and are one run of bytes there and in the
 * target: copied from where the page cache holds it, in parts that are large.
 *
 * <p>Copies of 2.5 MiB and more HotSpot writes around the caches (JDK 25, x86-64): what the target
 * held before is then not read first, which makes them 1.3 to 1.5 times as fast as shorter ones.
 */
final class RawRunTask implements WorkSource {
    private static final long RUN_BYTES_MIN = 16 << 20; // less is soon copied by all workers
    private static final long PART_BYTES_MIN = 3 << 20;

    /** What whoever starts it copies, to know whether it is in memory. */
    private static final long TRIED_BYTES = 256 << 10;

    private final ChunkTask chunk;
    private final ByteRange run; // in the chunk
    private final long targetOffset; // where it goes, in bytes
    private final long partBytes;
    private final Parts parts; // of what is behind the bytes that were tried
    private volatile boolean isInVain; // some of it is not in memory

    private RawRunTask(ChunkTask chunk, ByteRange run, long targetOffset) {
        this.chunk = chunk;
        this.run = run;
        this.targetOffset = targetOffset;
        long rest = run.bytes() - TRIED_BYTES;
        long count = rest / PART_BYTES_MIN;
        this.partBytes = Math.ceilDiv(rest, count);
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
        if (run.bytes() < RUN_BYTES_MIN) {
            return false;
        }
        var task = new RawRunTask(chunk, run, targetOffset);
        if (!task.tryCopy(runner, 0, TRIED_BYTES)) {
            return false;
        }
        chunk.file().retain();
        runner.offer(task);
        return true;
    }

    /** Of bytes of the run: {@link ChunkTask#tryCopyMapped}. */
    private boolean tryCopy(TaskRunner runner, long from, long bytes) {
        MemorySegment target = chunk.request().target();
        return chunk.tryCopyMapped(
                runner,
                new FileParts.One(chunk.offset() + run.from() + from, bytes),
                (one, stored) -> MemorySegment.copy(stored, 0, target, targetOffset + from, bytes));
    }

    private boolean tryCopyPart(TaskRunner runner, long part) {
        long from = TRIED_BYTES + part * partBytes;
        return tryCopy(runner, from, Math.min(partBytes, run.bytes() - from));
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        long part = parts.take();
        if (part < 0) {
            return false;
        }
        if (!isInVain && !chunk.request().hasFailed() && !tryCopyPart(runner, part)) {
            isInVain = true;
        }
        if (parts.endOne()) {
            end(runner);
        }
        return true;
    }

    /** If something was not there, all of it is read: what was there a second time. */
    private void end(TaskRunner runner) {
        boolean isRead = false;
        try {
            if (!chunk.request().hasFailed()) { // Else there may be no runner.
                if (isInVain) {
                    new RawChunkTask(chunk).start(runner);
                    isRead = true;
                } else {
                    runner.placer().raw().begin();
                    runner.placer().raw().placed(run.bytes());
                }
            }
        } catch (RuntimeException | Error e) {
            chunk.request().fail(e);
        } finally {
            chunk.file().release();
        }
        if (!isRead) {
            chunk.parent().partEnded();
        }
    }
}
