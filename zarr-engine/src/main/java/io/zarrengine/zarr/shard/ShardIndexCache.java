package io.zarrengine.zarr.shard;

import io.zarrengine.uring.files.ClockMap;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.BlockMemory;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A cache of shard indexes, which evicts those not used recently first.
 *
 * <p>The indexes are in native memory of a fixed size, reserved for the first index. An index that
 * is evicted while in use keeps its memory until its last close. Threads: any. Adding and evicting
 * an index take a lock; a lookup takes none.
 *
 * @param <K> identifies a shard in one version of its file
 */
public final class ShardIndexCache<K> implements AutoCloseable {
    private final long bytesMax;
    private final ClockMap<K, ShardIndex> indexes = new ClockMap<>();
    private long bytes; // this and the following fields: guarded by this
    private BlockMemory memory; // null before the first index
    private boolean isRefused; // whether the machine has too little memory

    /**
     * Creates an empty cache.
     *
     * @param bytesMax maximum size of all kept indexes in bytes; a larger index is not kept
     */
    public ShardIndexCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * {@return the index of a shard, which the caller must close; empty if it is not cached}
     *
     * @param key the shard
     */
    public Optional<ShardIndex> get(K key) {
        ShardIndex index = indexes.find(key);
        boolean isThere = index != null && index.tryRetain(); // Otherwise it was evicted meanwhile.
        return isThere ? Optional.of(index) : Optional.empty();
    }

    /**
     * Decodes and checks an index, and keeps it if there is enough memory.
     *
     * @param key the shard
     * @param codec the codec of the stored index
     * @param encoded the stored index; copied
     * @param shardBytes size of the whole shard in bytes
     * @return the index, which the caller must close
     * @throws CodecException as {@link ShardIndex#decode}
     */
    public ShardIndex add(K key, ShardIndexCodec codec, MemorySegment encoded, long shardBytes)
            throws CodecException {
        long rowBytes = ShardIndex.rowBytes(codec, encoded);
        long at = takeRoom(rowBytes);
        if (at < 0) {
            return ShardIndex.decode(codec, encoded, shardBytes);
        }
        MemorySegment rows = memory.block(at, rowBytes);
        Runnable free = () -> giveBack(at, rowBytes);
        try {
            ShardIndex index = ShardIndex.decode(codec, encoded, shardBytes, rows, free);
            keep(key, index);
            return index;
        } catch (Throwable t) { // Allowed: frees the rows if the index is damaged
            free.run();
            throw t;
        }
    }

    /**
     * Evicts indexes until a block is free. Returns its offset, or -1 if there is not enough
     * memory.
     */
    private synchronized long takeRoom(long rowBytes) {
        if (rowBytes > bytesMax) {
            return -1;
        }
        if (memory == null && !isRefused) {
            try {
                memory = new BlockMemory(bytesMax);
            } catch (OutOfMemoryError e) {
                isRefused = true; // Reads go on without.
            }
        }
        if (memory == null) {
            return -1;
        }
        long at = memory.take(rowBytes);
        while (at < 0 && indexes.size() > 0) {
            forget(indexes.removeOldest(_ -> true));
            at = memory.take(rowBytes);
        }
        return at;
    }

    private void forget(ShardIndex index) {
        bytes -= index.byteSize();
        index.close();
    }

    private synchronized void keep(K key, ShardIndex index) {
        index.retain();
        bytes += index.byteSize();
        ShardIndex before = indexes.put(key, index);
        if (before != null) {
            forget(before);
        }
    }

    private synchronized void giveBack(long at, long rowBytes) {
        if (memory != null) {
            memory.free(at, rowBytes);
        }
    }

    /** {@return the size of all kept indexes in bytes} */
    public synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory. Later access to a kept index throws an exception. */
    @Override
    public synchronized void close() {
        indexes.clear();
        bytes = 0;
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
