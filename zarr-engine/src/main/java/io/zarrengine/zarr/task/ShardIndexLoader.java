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
 * Finds the indexes of shards. It keeps those that were read. If several shard tasks want an index
 * at the same time, it is read once.
 *
 * <p>No thread blocks: a task that waits becomes work again when the read has ended. Threads: any.
 */
public final class ShardIndexLoader implements AutoCloseable {
    private final ShardIndexCache<ShardKey> known;
    private final Consumer<WorkSource> workers;
    private final Map<ShardKey, IndexRead> reads = new HashMap<>(); // under way; guarded by this

    /**
     * Knows nothing yet.
     *
     * @param bytesMax the most that is kept
     * @param workers get what goes on when an index has arrived
     */
    public ShardIndexLoader(long bytesMax, Consumer<WorkSource> workers) {
        this.known = new ShardIndexCache<>(bytesMax);
        this.workers = workers;
    }

    /**
     * Has a shard go on with its index: at once if it is known, else when it has been read. Throws
     * before anything has begun, or not at all.
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

    /** Has a shard wait; {@return the read that the caller has to start, or null} */
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
        } catch (OutOfMemoryError e) { // It may be in there all the same.
            read.setClosed(); // Nobody joins what nobody reads.
            throw e;
        }
        return read;
    }

    private void start(TaskRunner runner, IndexRead read) {
        Optional<ShardIndex> meanwhile;
        try {
            meanwhile = known.get(read.key()); // Another read may have just ended.
        } catch (RuntimeException | Error e) { // No memory, say: others may have joined.
            read.fail(e);
            read.ended(0);
            return;
        }
        if (meanwhile.isEmpty()) {
            read.start(runner);
            return;
        }
        try {
            read.handOut(runner, meanwhile.get());
        } catch (RuntimeException | Error e) { // Some may have gone on: the others fail.
            read.fail(e);
        } finally {
            read.ended(0);
            release(meanwhile.get(), read.first());
        }
    }

    /** Decodes, checks and keeps an index; the caller closes it. */
    public ShardIndex add(IndexWaiter shard, MemorySegment encoded) throws CodecException {
        ShardKey key = shard.key();
        return known.add(key, key.codec(), encoded, key.bytes());
    }

    /** Closes a read, so no shard joins it. The next one finds its index, or reads it again. */
    synchronized void close(IndexRead read) {
        read.setClosed(); // Also if there is no memory to remove it.
        reads.remove(read.key(), read);
    }

    /** {@return whether a shard still wants the index} */
    synchronized boolean isWanted(IndexRead read) {
        return read.hasWanting();
    }

    /** Has the workers go on with a shard; {@code index}: null if it has to be found again. */
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
