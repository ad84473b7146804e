package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.metrics.RecordedRead;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The read of a shard's index, and the shards that wait for it. If it fails, all of them fail. If
 * the request that began it is cancelled, it goes on for the others.
 *
 * <p>Threads: {@link ShardIndexLoader} guards the list of shards until the read is closed there.
 * From then on the list belongs to the thread that closed it.
 */
final class IndexRead implements ReadTask {
    private final ShardIndexLoader indexes;
    private final IndexWaiter first;
    private final ShardKey key;
    private final List<IndexWaiter> waiting = new ArrayList<>(1);
    private volatile Throwable failure; // null unless it has failed

    /** {@code first}: the shard that begins the read, and waits for it. */
    IndexRead(ShardIndexLoader indexes, IndexWaiter first) {
        this.indexes = indexes;
        this.first = first;
        this.key = first.key();
        waiting.add(first);
    }

    ShardKey key() {
        return key;
    }

    void add(IndexWaiter shard) {
        waiting.add(shard);
    }

    boolean hasWanting() {
        return waiting.stream().anyMatch(IndexWaiter::isWanted);
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

    /** Continues the first shard on this thread, and offers the others to all workers. */
    void handOut(TaskRunner runner, ShardIndex index) {
        indexes.close(this);
        while (waiting.size() > 1) { // The source that is offered last is taken first.
            indexes.offer(new WaitingShard(waiting.removeLast(), index));
        }
        waiting.removeLast().indexFound(runner, index);
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
    }

    /**
     * Fails the shards that still wait, as the read has failed. If the read has not failed, they
     * came when no other shard wanted the index any more, and look for it again.
     */
    @Override
    public void ended(int stretch) {
        indexes.close(this);
        for (IndexWaiter shard : waiting.reversed()) {
            if (failure == null) {
                indexes.offer(new WaitingShard(shard, null));
            } else {
                shard.fail(failure);
                shard.end();
            }
        }
    }
}
