package io.zarrengine.zarr.task;

import io.zarrengine.zarr.shard.ShardIndex;

/** A shard that a worker continues with its index. */
final class WaitingShard implements WorkSource {
    private final IndexWaiter shard;
    private final ShardIndex index; // retained for the shard; null if it has to be found again
    private final PartCounter only = new PartCounter(1);

    /** {@code found}: null if the index has to be found again. */
    WaitingShard(IndexWaiter shard, ShardIndex found) {
        this.shard = shard;
        this.index = found;
        if (found != null) {
            found.retain();
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
        } else if (index == null) {
            runner.findIndex(shard);
        } else {
            shard.indexFound(runner, index);
        }
        if (index != null) {
            index.close();
        }
        return true;
    }
}
