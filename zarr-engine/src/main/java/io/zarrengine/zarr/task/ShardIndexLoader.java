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
 * Finds and caches the indexes of shards. If several shard tasks want an index at the same time,
 * one read serves all of them.
 *
 * <p>No thread blocks: a shard that waits becomes work again when the read has ended.
 *
 * <p>Owner: the executor. Threads: any.
 */
public final class ShardIndexLoader implements AutoCloseable {
    private final ShardIndexCache<ShardKey> known;
    private final Consumer<WorkSource> workers;
    private final Map<ShardKey, IndexRead> reads = new HashMap<>(); // under way; guarded by this

    /**
     * Creates a loader with an empty cache.
     *
     * @param bytesMax the size of the cache
     * @param workers receives the shards that continue when an index has arrived
     */
    public ShardIndexLoader(long bytesMax, Consumer<WorkSource> workers) {
        this.known = new ShardIndexCache<>(bytesMax);
        this.workers = workers;
    }

    /**
     * Continues a shard with its index: at once if the index is cached, otherwise when the index
     * has been read. If this throws, nothing has begun.
     */
    public void find(TaskRunner runner, IndexWaiter shard) {
        Optional<ShardIndex> index = known.get(shard.key());
        if (index.isPresent()) {
            shard.indexFound(runner, index.get());
            release(index.get(), shard);
            return;
        }
        IndexRead read = join(new WaitingShard(shard));
        if (read != null) {
            start(runner, read);
        }
    }

    /** Adds a shard to a read. {@return a new read, which the caller starts; null if one exists} */
    private synchronized IndexRead join(WaitingShard waiting) {
        IndexRead begun = reads.get(waiting.shard().key());
        if (begun != null && !begun.isClosed()) {
            begun.add(waiting);
            return null;
        }
        IndexRead read = new IndexRead(this, waiting.shard());
        read.add(waiting);
        try {
            reads.put(read.key(), read);
        } catch (OutOfMemoryError e) { // The map may contain the read all the same.
            read.setClosed(); // No shard joins a read that nobody starts.
            throw e;
        }
        return read;
    }

    private void start(TaskRunner runner, IndexRead read) {
        Optional<ShardIndex> meanwhile;
        try {
            meanwhile = known.get(read.key()); // Another read may have ended since find() looked.
            if (meanwhile.isEmpty()) {
                read.start(runner);
                return;
            }
        } catch (RuntimeException | Error e) { // Other shards may have joined: fail them too.
            read.fail(e);
            read.ended(0);
            return;
        }
        try {
            read.handOut(runner, meanwhile.get());
        } catch (RuntimeException | Error e) { // Some shards may have gone on; the others fail.
            read.fail(e);
        } finally {
            read.ended(0);
            release(meanwhile.get(), read.first());
        }
    }

    /** Decodes, checks and caches an index. The caller closes the result. */
    public ShardIndex add(IndexWaiter shard, MemorySegment encoded) throws CodecException {
        ShardKey key = shard.key();
        return known.add(key, key.codec(), encoded, key.bytes());
    }

    /** Closes a read to further shards, which then find the index in the cache or read it again. */
    synchronized void close(IndexRead read) {
        read.setClosed(); // First: there may be no memory to remove the read.
        reads.remove(read.key(), read);
    }

    /** {@return whether a shard still wants the index} */
    synchronized boolean isWanted(IndexRead read) {
        return read.hasWanting();
    }

    /** Offers a shard to the workers; {@code index} is null if it must be found again. */
    void goOn(WaitingShard waiting, ShardIndex index) {
        waiting.goOn(workers, index);
    }

    /** Releases an index that a shard has used. Never throws, because the shard may have ended. */
    static void release(ShardIndex index, IndexWaiter shard) {
        try {
            index.close();
        } catch (OutOfMemoryError e) {
            shard.fail(e);
        }
    }

    /** Closes the cache. No shard waits any more. */
    @Override
    public void close() {
        known.close();
    }
}
