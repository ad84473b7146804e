package io.zarrengine.zarr.task;

import io.zarrengine.zarr.shard.ShardIndex;
import java.util.function.Consumer;

/** A shard that waits for its index, and then goes on. Made when there is memory for it. */
final class WaitingShard implements WorkSource {
    private final IndexWaiter shard;
    private final PartCounter only = new PartCounter(1);
    private WaitingShard before; // who came to the same read just before; owned by that
    private ShardIndex index; // set before a worker sees it; null if it has to be found again

    WaitingShard(IndexWaiter shard) {
        this.shard = shard;
    }

    IndexWaiter shard() {
        return shard;
    }

    WaitingShard before() {
        return before;
    }

    void setBefore(WaitingShard other) {
        before = other;
    }

    /**
     * Has workers go on with the shard, which ends here and now if nobody wants it any more.
     *
     * @param found retained for the shard; null if it has to be found again
     */
    void goOn(Consumer<WorkSource> workers, ShardIndex found) {
        if (found != null) {
            found.retain();
        }
        index = found;
        if (shard.isWanted()) {
            workers.accept(this);
        } else {
            startNext(null); // Nor does it ask for a runner.
        }
    }

    @Override
    public void fail(Throwable cause) {
        shard.fail(cause);
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        if (only.take() < 0) {
            return false;
        }
        if (!shard.isWanted()) {
            shard.end();
            release();
        } else if (index == null) {
            findAgain(runner);
        } else {
            shard.indexFound(runner, index);
            release();
        }
        return true;
    }

    /** Never throws: the shard has gone on. */
    private void release() {
        if (index != null) {
            ShardIndexLoader.release(index, shard);
        }
    }

    private void findAgain(TaskRunner runner) {
        try {
            runner.findIndex(shard);
        } catch (RuntimeException | Error e) { // No memory, say: it has not begun.
            shard.fail(e);
            shard.end();
        }
    }
}
