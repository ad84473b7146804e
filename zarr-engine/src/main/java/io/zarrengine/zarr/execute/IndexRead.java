package io.zarrengine.zarr.execute;

import io.zarrengine.uring.FileHandle;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shard.ShardIndex;
import java.lang.foreign.MemorySegment;

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
    private final ShardKey key; // Made before there may be no memory for it.
    private ShardTask lastWaiting; // the others are linked before it; null if nobody waits
    private volatile Throwable failure; // null unless it has failed
    private boolean isClosed;

    IndexRead(ShardIndexes indexes, ShardTask first) {
        this.indexes = indexes;
        this.first = first;
        this.key = first.key();
    }

    ShardKey key() {
        return key;
    }

    void add(ShardTask shard) {
        shard.setWaitingBefore(lastWaiting); // A deque that finds no memory to grow forgets all.
        lastWaiting = shard;
    }

    boolean isClosed() {
        return isClosed;
    }

    void setClosed() {
        isClosed = true;
    }

    boolean hasWanting() {
        boolean hasWanting = false;
        for (ShardTask shard = lastWaiting; shard != null; shard = shard.waitingBefore()) {
            hasWanting |= shard.isWanted();
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
        while (lastWaiting.waitingBefore() != null) { // What is offered last is taken first.
            indexes.goOn(removeLast(), index);
        }
        removeLast().indexFound(runner, index);
    }

    private ShardTask removeLast() {
        ShardTask last = lastWaiting;
        lastWaiting = last.waitingBefore();
        return last;
    }

    @Override
    public void fail(Throwable cause) {
        failure = cause;
    }

    /**
     * Who still waits fails as the read has, or came when nobody else wanted the index any more.
     * This takes no memory: there may be none, which is why it has failed.
     */
    @Override
    public void ended(int stretch) {
        try {
            indexes.close(this);
        } finally {
            while (lastWaiting != null) {
                ShardTask shard = removeLast();
                if (failure != null) {
                    shard.fail(failure);
                }
                indexes.goOn(shard, null);
            }
        }
    }
}
