package io.zarrengine.zarr.shard;

import io.zarrengine.bindings.NativeMemoryError;
import io.zarrengine.uring.files.ClockMap;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.memory.BlockMemory;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Shard indexes that were read; those that nobody asked for lately are forgotten first.
 *
 * <p>They lie in native memory of a fixed size, reserved when the first one comes. One that is
 * forgotten while somebody uses it keeps its memory until that ends. Threads: any; a lock for each
 * index that is kept or forgotten, none for finding one.
 *
 * @param <K> identifies a shard in one version of its file
 */
public final class ShardIndexCache<K> implements AutoCloseable {
    private final long bytesMax;
    private final ClockMap<K, ShardIndex> indexes = new ClockMap<>();
    private long bytes; // this and the following: guarded by this
    private BlockMemory memory; // null before the first index
    private boolean isRefused; // there is not so much memory

    /**
     * Creates an empty cache.
     *
     * @param bytesMax the most that it keeps; one index larger than that is not kept
     */
    public ShardIndexCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * {@return the index of a shard, if it is here; the caller closes it}
     *
     * @param key which shard
     */
    public Optional<ShardIndex> get(K key) {
        ShardIndex index = indexes.find(key);
        boolean isThere = index != null && index.tryRetain(); // Else it was forgotten meanwhile.
        return isThere ? Optional.of(index) : Optional.empty();
    }

    /**
     * Decodes and checks an index, and keeps it if there is room.
     *
     * @param key which shard
     * @param codec how the index is stored
     * @param encoded the stored index; copied
     * @param shardBytes size of the whole shard
     * @return the index; the caller closes it
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
        } catch (Throwable t) { // Allowed: nothing leaks when the index is damaged
            free.run();
            throw t;
        }
    }

    /** Forgets indexes until there is room; -1 if there is not enough all the same. */
    private synchronized long takeRoom(long rowBytes) {
        if (rowBytes > bytesMax) {
            return -1;
        }
        if (memory == null && !isRefused) {
            try {
                memory = new BlockMemory(bytesMax);
            } catch (NativeMemoryError e) {
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

    /** {@return the bytes kept now} */
    public synchronized long bytes() {
        return bytes;
    }

    /** Frees the memory; whoever reads a kept index afterwards gets an exception. */
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
