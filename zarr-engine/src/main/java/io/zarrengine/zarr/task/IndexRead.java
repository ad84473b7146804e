package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;

/**
 * The read of a shard's index, with a list of the shards that wait for it. If the read fails, all
 * these shards fail. If the request that began the read is cancelled, the read continues for the
 * other requests.
 *
 * <p>Threads: {@link ShardIndexLoader} guards the list until the read is closed. Then the list
 * belongs to the thread that closed the read.
 */
final class IndexRead implements ReadTask {
    private final ShardIndexLoader indexes;
    private final IndexWaiter first;
    private final ShardKey key; // made now, because memory may be short later
    private WaitingShard lastWaiting; // the list, linked backwards; null if empty
    private volatile Throwable failure; // null unless it has failed
    private boolean isClosed;

    IndexRead(ShardIndexLoader indexes, IndexWaiter first) {
        this.indexes = indexes;
        this.first = first;
        this.key = first.key();
    }

    ShardKey key() {
        return key;
    }

    IndexWaiter first() {
        return first;
    }

    void add(WaitingShard waiting) {
        waiting.setBefore(lastWaiting); // A deque loses all elements if it cannot grow.
        lastWaiting = waiting;
    }

    boolean isClosed() {
        return isClosed;
    }

    void setClosed() {
        isClosed = true;
    }

    boolean hasWanting() {
        boolean hasWanting = false;
        for (WaitingShard each = lastWaiting; each != null; each = each.before()) {
            hasWanting |= each.shard().isWanted();
        }
        return hasWanting;
    }

    void start(TaskRunner runner) {
        runner.startRead(this, 0, first.indexOffset(), first.indexBytes(), 0);
    }

    @Override
    public boolean isWanted() {
        return failure == null && indexes.isWanted(this);
    }

    @Override
    public RecordedRead recorded() {
        return null; // Several requests may share the read.
    }

    @Override
    public FileHandle file() {
        return first.file();
    }

    @Override
    public String describe(int stretch) {
        return first.label() + ", shard index";
    }

    @Override
    public void arrived(TaskRunner runner, int stretch, MemorySegment bytes) throws CodecException {
        try (ShardIndex index = indexes.add(first, bytes)) {
            handOut(runner, index);
        }
    }

    /** Continues the first shard on this thread, and offers the others to all workers. */
    void handOut(TaskRunner runner, ShardIndex index) {
        indexes.close(this);
        while (lastWaiting.before() != null) { // A worker takes the last offer first.
            indexes.goOn(lastWaiting, index);
            lastWaiting = lastWaiting.before(); // Only now: a failed offer must not lose the shard.
        }
        WaitingShard remaining = lastWaiting;
        lastWaiting = null;
        remaining.shard().indexFound(runner, index);
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
    }

    /**
     * Ends the wait of the shards in the list. If the read has failed, they fail. If it was skipped
     * because no shard wanted it, shards that were added since then find the index again. If memory
     * is short, any statement may throw; then the rest of the list fails.
     */
    @Override
    public void ended(int stretch) {
        boolean isDone = false;
        while (!isDone) {
            isDone = hasMemoryToEnd();
        }
    }

    private boolean hasMemoryToEnd() {
        try {
            indexes.close(this);
            for (; lastWaiting != null; lastWaiting = lastWaiting.before()) {
                if (failure == null) {
                    indexes.goOn(lastWaiting, null);
                } else {
                    lastWaiting.discard(failure);
                }
            }
            return true;
        } catch (RuntimeException | Error e) {
            failure = e;
            return false;
        }
    }
}
