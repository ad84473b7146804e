package io.zarrengine.zarr.shard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Shard indexes that were read, the least recently used ones forgotten first.
 *
 * <p>Bounded by the bytes of their rows. Threads: any; one short lock for each shard of a request,
 * none for its chunks.
 *
 * @param <K> identifies a shard in one version of its file
 */
public final class ShardIndexCache<K> {
    private final long bytesMax;
    private final Map<K, ShardIndex> indexes = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /**
     * Creates an empty cache.
     *
     * @param bytesMax the most that it keeps; one index larger than that is not kept
     */
    public ShardIndexCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * {@return the index of a shard, if it is here}
     *
     * @param key which shard
     */
    public synchronized Optional<ShardIndex> get(K key) {
        return Optional.ofNullable(indexes.get(key));
    }

    /**
     * Keeps an index.
     *
     * @param key which shard
     * @param index its index
     */
    public synchronized void put(K key, ShardIndex index) {
        if (index.byteSize() > bytesMax) {
            return;
        }
        ShardIndex before = indexes.put(key, index);
        bytes += index.byteSize() - (before == null ? 0 : before.byteSize());
        Iterator<ShardIndex> oldest = indexes.values().iterator();
        while (bytes > bytesMax) {
            bytes -= oldest.next().byteSize();
            oldest.remove();
        }
    }

    /** {@return the bytes kept now} */
    public synchronized long bytes() {
        return bytes;
    }
}
