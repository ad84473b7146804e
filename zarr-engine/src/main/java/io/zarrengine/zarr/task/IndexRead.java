package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;

/**
 * The read of a shard's index, and the shards that wait for it. If it fails, all of them fail. If
 * the request that began it is cancelled, it continues for the others.
 *
 * <p>Threads: {@link ShardIndexLoader} guards who waits until the read is closed there; from then
 * on that belongs to the thread that closed it.
 */
final class IndexRead implements ReadTask {
    private final ShardIndexLoader indexes;
    private final IndexWaiter first;
    private final ShardKey key; // Made before there may be no memory for it.
    private WaitingShard lastWaiting; // the others are linked before it; null if nobody waits
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
        waiting.setBefore(lastWaiting); // A deque that finds no memory to grow forgets all.
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
        return null; // It may be read for several requests.
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

    /** The first one goes on here, the others with whoever has room. */
    void handOut(TaskRunner runner, ShardIndex index) {
        indexes.close(this);
        while (lastWaiting.before() != null) { // What is offered last is taken first.
            indexes.goOn(lastWaiting, index);
            lastWaiting = lastWaiting.before(); // Not before it knows: else it would be lost.
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
     * Who still waits fails as the read has, or came when nobody else wanted the index any more.
     * There may be no memory, which is why it has failed, and then HotSpot may throw anywhere: it
     * begins again behind whom it has told.
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
