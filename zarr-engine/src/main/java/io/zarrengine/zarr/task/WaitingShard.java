package io.zarrengine.zarr.task;

import io.zarrengine.zarr.shard.ShardIndex;
import java.util.function.Consumer;

/**
 * A shard that waits for its index. It is also the work that continues the shard: allocated before
 * the wait, so that the end of the wait needs no memory.
 */
final class WaitingShard implements WorkSource {
    private final IndexWaiter shard;
    private final PartCounter only = new PartCounter(1);
    private WaitingShard before; // joined the same read earlier; guarded by that read's loader
    private ShardIndex index; // set before workers see this; null if the index must be found again

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
     * Offers the shard to the workers, or ends the shard in this call if no request wants it.
     *
     * @param found the index, which this retains; null if the index must be found again
     */
    void goOn(Consumer<WorkSource> workers, ShardIndex found) {
        if (found != null) {
            found.retain();
        }
        index = found;
        if (shard.isWanted()) {
            workers.accept(this);
        } else {
            startNext(null); // An unwanted shard needs no runner.
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

    /** Releases the index. Never throws, because the shard may have ended. */
    private void release() {
        if (index != null) {
            ShardIndexLoader.release(index, shard);
        }
    }

    private void findAgain(TaskRunner runner) {
        try {
            runner.findIndex(shard);
        } catch (RuntimeException | Error e) { // For example without memory: nothing has begun.
            shard.fail(e);
            shard.end();
        }
    }
}
