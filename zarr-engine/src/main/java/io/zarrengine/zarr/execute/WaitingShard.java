package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.shard.ShardIndex;
import java.util.concurrent.atomic.AtomicBoolean;

/** A shard that waited for its index, and goes on. */
final class WaitingShard implements WorkSource {
    private final ShardTask shard;
    private final ShardIndex index;
    private final AtomicBoolean taken = new AtomicBoolean();

    /** {@code index}: closed when the shard has it; null if it has to be found again. */
    WaitingShard(ShardTask shard, ShardIndex index) {
        this.shard = shard;
        this.index = index;
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
            runner.indexes().find(runner, shard);
        } else {
            shard.indexFound(runner, index);
        }
    }
}
