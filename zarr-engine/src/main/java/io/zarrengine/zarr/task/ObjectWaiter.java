package io.zarrengine.zarr.task;

import io.zarrengine.zarr.store.StoredObject;

/** A part of a request that waits for an object to be opened, and then goes on. */
final class ObjectWaiter implements WorkSource {
    private final WantedChunk wanted;
    private final PartCounter only = new PartCounter(1);
    private volatile StoredObject found; // null: the object does not exist

    ObjectWaiter(WantedChunk wanted) {
        this.wanted = wanted;
    }

    WantedChunk wanted() {
        return wanted;
    }

    boolean isWanted() {
        return !wanted.request().hasFailed();
    }

    /** Notes the object, before workers see this. */
    void found(StoredObject object) {
        found = object;
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        if (only.take() < 0) {
            return false;
        }
        if (!isWanted()) {
            wanted.request().partEnded();
            return true;
        }
        try {
            if (found != null) {
                wanted.start(runner, ObjectChunkStarter.whole(found));
                return true;
            }
            wanted.fill(runner);
        } catch (RuntimeException | Error e) { // A corrupt chunk, or a target that was closed.
            wanted.request().fail(e);
            WorkerThread.forgetInterrupt();
        }
        wanted.request().partEnded();
        return true;
    }

    @Override
    public boolean isToLentMemory() {
        return wanted.request().isLentMemoryFor(1);
    }

    @Override
    public void fail(Throwable cause) {
        wanted.request().fail(cause);
    }
}
