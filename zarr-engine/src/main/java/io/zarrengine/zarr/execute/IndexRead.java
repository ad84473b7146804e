package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The read of a shard's index, and all who wait for it. If it fails, all of them fail; if the
 * request that began it is cancelled, it goes on for the others.
 *
 * <p>Threads: {@link ShardIndexes} guards who waits until the read is closed there; from then on
 * that belongs to the thread that closed it.
 */
final class IndexRead implements ReadTask {
    private final ShardIndexes indexes;
    private final ShardTask first;
    private final Deque<ShardTask> waiting = new ArrayDeque<>();

    IndexRead(ShardIndexes indexes, ShardTask first) {
        this.indexes = indexes;
        this.first = first;
    }

    ShardKey key() {
        return first.key();
    }

    void add(ShardTask shard) {
        waiting.add(shard);
    }

    boolean hasWanting() {
        return waiting.stream().anyMatch(ShardTask::isWanted);
    }

    void start(TaskRunner runner) {
        runner.startRead(this, 0, first.indexOffset(), first.indexBytes(), 0);
    }

    @Override
    public boolean isWanted() {
        return indexes.isWanted(this);
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
        while (waiting.size() > 1) { // From behind: what is offered last is taken first.
            index.retain();
            indexes.goOn(new WaitingShard(waiting.removeLast(), index));
        }
        waiting.remove().indexFound(runner, index);
    }

    @Override
    public void fail(Throwable cause) {
        indexes.close(this);
        waiting.forEach(shard -> shard.fail(cause));
    }

    /** Who still waits has failed, or came when nobody else wanted the index any more. */
    @Override
    public void ended(int stretch) {
        indexes.close(this);
        while (!waiting.isEmpty()) {
            indexes.goOn(new WaitingShard(waiting.removeLast(), null));
        }
    }
}
