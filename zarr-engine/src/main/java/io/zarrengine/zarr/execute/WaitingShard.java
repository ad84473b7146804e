package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.shard.ShardIndex;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A shard that waited for its index, and goes on. */
final class WaitingShard implements WorkSource {
    private final ShardTask shard;
    private final ShardIndex index;
    private final AtomicBoolean taken = new AtomicBoolean();

    /**
     * Has workers go on with a shard, which ends here and now if that fails, or nobody wants it any
     * more: else nobody would know of it.
     *
     * @param index retained for the shard; null if it has to be found again
     */
    static void offer(Consumer<WorkSource> workers, ShardTask shard, ShardIndex index) {
        if (!shard.isWanted()) {
            shard.end();
            return;
        }
        WaitingShard waiting = null;
        try {
            if (index != null) {
                index.retain();
            }
            waiting = new WaitingShard(shard, index);
            workers.accept(waiting);
        } catch (RuntimeException | Error e) { // No memory, say.
            shard.fail(e);
            if (waiting == null || !waiting.taken.getAndSet(true)) {
                if (index != null) {
                    index.close();
                }
                shard.end();
            }
        }
    }

    /** {@code index}: closed when the shard has it; null if it has to be found again. */
    private WaitingShard(ShardTask shard, ShardIndex index) {
        this.shard = shard;
        this.index = index;
    }

    @Override
    public void fail(Throwable cause) {
        shard.fail(cause);
    }

    @Override
    public boolean startNext(TaskRunner runner) {
        if (taken.getAndSet(true)) {
            return false;
        }
        try (index) { // Closing null does nothing.
            goOn(runner);
        }
        return true;
    }

    private void goOn(TaskRunner runner) {
        if (!shard.isWanted()) {
            shard.end();
        } else if (index == null) {
            findAgain(runner);
        } else {
            shard.indexFound(runner, index);
        }
    }

    private void findAgain(TaskRunner runner) {
        try {
            runner.indexes().find(runner, shard);
        } catch (RuntimeException | Error e) { // No memory, say: it has not begun.
            shard.fail(e);
            shard.end();
        }
    }
}
