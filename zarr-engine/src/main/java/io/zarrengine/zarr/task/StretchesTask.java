package io.zarrengine.zarr.task;

import java.lang.foreign.MemorySegment;

/**
 * Reads a chunk in several stretches, which any worker with room starts.
 *
 * <p>Threads: any, after the task was offered to the workers.
 */
abstract class StretchesTask extends ChunkReadTask implements WorkSource {
    // Both are set once, before other workers see the task.
    private Stretches stretches;
    private PartCounter parts; // counts the stretches

    StretchesTask(ChunkTask chunk) {
        super(chunk);
    }

    final void setStretches(Stretches found) {
        parts = new PartCounter(found.count());
        stretches = found;
    }

    final Stretches stretches() {
        return stretches;
    }

    /** {@return the offset of a stretch in the file, in bytes} */
    final long fileOffset(int stretch) {
        return chunk.offset() + stretches.offset(stretch);
    }

    @Override
    public boolean isToLentMemory() {
        return chunk.request().isLentMemoryFor(file().alignment());
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        long stretch = parts.take();
        if (stretch >= 0) {
            start(runner, (int) stretch);
        }
        return stretch >= 0;
    }

    /** Takes one worker's share of the stretches that are left; null if none is left. */
    final PartCounter.Share takeShare(int workers, int max) {
        return parts.takeShare(workers, max);
    }

    /** Starts a stretch that was taken. An error fails the task and ends the stretch. */
    final void start(TaskRunner runner, int stretch) {
        try {
            if (isWanted()) {
                startStretch(runner, stretch);
                return;
            }
        } catch (RuntimeException | Error e) { // A corrupt chunk, a closed target, or no memory.
            fail(e);
            WorkerThread.forgetInterrupt();
        }
        ended(stretch);
    }

    /** Starts a stretch; {@link #ended} follows. If this throws, nothing has begun. */
    abstract void startStretch(TaskRunner runner, int stretch);

    /**
     * Places stretches of elements that are stored as they are, from the page cache.
     *
     * @return whether all of these stretches are placed
     */
    final boolean tryPlaceMapped(TaskRunner runner, int first, int end) {
        return runner.copyNow(
                file(),
                stretches.parts(first, end, chunk.offset()),
                (i, stored) -> deliverMapped(runner, first + i, stored));
    }

    private void deliverMapped(TaskRunner runner, int stretch, MemorySegment stored) {
        if (recorded() != null) {
            recorded().read(stored.byteSize(), 0);
        }
        runner.deliver(this, stretch, stored);
    }

    @Override
    public final void ended(int stretch) {
        endSome(1);
    }

    final void endSome(long count) {
        if (parts.endSome(count)) {
            chunk.end();
        }
    }
}
