package io.zarrengine.zarr.task;

import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.shard.ShardIndex;
import io.zarrengine.zarr.shard.ShardIndexCache;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The indexes of shards. Indexes that were read are kept. If several shard tasks want an index at
 * once, it is read once for all of them.
 *
 * <p>No thread blocks meanwhile: a task that waits becomes work again when the read has ended.
 * Threads: any.
 */
public final class ShardIndexLoader implements AutoCloseable {
    private final ShardIndexCache<ShardKey> known;
    private final Consumer<WorkSource> workers;
    private final Map<ShardKey, IndexRead> reads = new HashMap<>(); // under way; guarded by this

    /**
     * Creates a loader that knows no index.
     *
     * @param bytesMax the size of the indexes that are kept, at most
     * @param workers get the tasks that continue when an index has arrived
     */
    public ShardIndexLoader(long bytesMax, Consumer<WorkSource> workers) {
        this.known = new ShardIndexCache<>(bytesMax);
        this.workers = workers;
    }

    /** Continues a shard with its index: at once if it is known, else when it has been read. */
    public void find(TaskRunner runner, IndexWaiter shard) {
        Optional<ShardIndex> index = known.get(shard.key());
        if (index.isPresent()) {
            try (ShardIndex found = index.get()) {
                shard.indexFound(runner, found);
            }
            return;
        }
        IndexRead read = join(shard);
        if (read != null) {
            start(runner, read);
        }
    }

    /** Adds a shard to a read; {@return a new read that the caller must start, or null} */
    private synchronized IndexRead join(IndexWaiter shard) {
        IndexRead begun = reads.get(shard.key());
        if (begun != null) {
            begun.add(shard);
            return null;
        }
        IndexRead read = new IndexRead(this, shard);
        reads.put(read.key(), read);
        return read;
    }

    private void start(TaskRunner runner, IndexRead read) {
        Optional<ShardIndex> meanwhile = known.get(read.key()); // Another read may have just ended.
        if (meanwhile.isEmpty()) {
            read.start(runner);
            return;
        }
        try (ShardIndex index = meanwhile.get()) {
            read.handOut(runner, index);
        }
    }

    /** Decodes, checks and keeps an index; the caller closes it. */
    ShardIndex add(IndexWaiter shard, MemorySegment encoded) throws CodecException {
        ShardKey key = shard.key();
        return known.add(key, key.codec(), encoded, key.bytes());
    }

    /** Ends joining of a read: a shard that comes later finds the index, or reads it again. */
    synchronized void close(IndexRead read) {
        reads.remove(read.key(), read);
    }

    /** {@return whether a shard still wants the index that a read brings} */
    synchronized boolean isWanted(IndexRead read) {
        return read.hasWanting();
    }

    /** Offers a shard to the workers. */
    void offer(WaitingShard shard) {
        workers.accept(shard);
    }

    /** Frees the indexes that are kept. No shard waits any more. */
    @Override
    public void close() {
        known.close();
    }
}
