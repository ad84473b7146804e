package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.PartCounter;
import io.zarrengine.zarr.task.ReadTask;
import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;

/**
 * A stretch for a worker, because the calling thread could not read it, or there was too little
 * memory to decode it. It holds no memory until a worker takes it, so no other read waits for it.
 */
public final class HandedOverRead implements WorkSource {
    private final ReadTask task;
    private final int stretch;
    private final long fileOffset;
    private final long bytes;
    private final long workspaceBytes;
    private final PartCounter only = new PartCounter(1);

    /** Hands a stretch over, as {@link TaskRunner#startRead} gets it. Never throws either. */
    static void offer(
            Executor executor,
            ReadTask task,
            int stretch,
            long fileOffset,
            long bytes,
            long workspaceBytes) {
        HandedOverRead read;
        try {
            read = new HandedOverRead(task, stretch, fileOffset, bytes, workspaceBytes);
        } catch (OutOfMemoryError e) {
            task.fail(e);
            task.ended(stretch);
            return;
        }
        executor.offer(read);
    }

    public HandedOverRead(
            ReadTask task, int stretch, long fileOffset, long bytes, long workspaceBytes) {
        this.task = task;
        this.stretch = stretch;
        this.fileOffset = fileOffset;
        this.bytes = bytes;
        this.workspaceBytes = workspaceBytes;
    }

    @Override
    public void fail(Throwable cause) {
        task.fail(cause);
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        if (only.take() < 0) {
            return false;
        }
        if (task.isWanted()) {
            runner.startRead(task, stretch, fileOffset, bytes, workspaceBytes);
        } else {
            task.ended(stretch);
        }
        return true;
    }
}
