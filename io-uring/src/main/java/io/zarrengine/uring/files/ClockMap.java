package io.zarrengine.uring.files;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The entries of a cache, by key. Entries that were not found recently are evicted first (the clock
 * algorithm).
 *
 * <p>Threads: {@link #find} any, without a lock, because threads that read small pieces would wait
 * for each other at every piece, and with more threads than cores they waited longer than they
 * read. All other methods: one thread at a time.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class ClockMap<K, V> {
    private static final class Entry<V> {
        private final V value;
        private volatile boolean isUsed; // since the clock's hand passed

        Entry(V value) {
            this.value = value;
        }
    }

    private final ConcurrentHashMap<K, Entry<V>> found = new ConcurrentHashMap<>();
    // The hand's next entry is first.
    private final LinkedHashMap<K, Entry<V>> clock = new LinkedHashMap<>();

    /** Creates an empty map. */
    public ClockMap() {}

    /**
     * {@return the value of a key, or null; another thread may evict it meanwhile}
     *
     * @param key any key
     */
    public V find(K key) {
        Entry<V> entry = found.get(key);
        if (entry == null) {
            return null;
        }
        if (!entry.isUsed) { // Writing every time would take the cache line from the other cores.
            entry.isUsed = true;
        }
        return entry.value;
    }

    /**
     * {@return the earlier value of the key, or null}
     *
     * @param key the key
     * @param value the value to keep; until it is found, it is evicted before values that are
     */
    public V put(K key, V value) {
        Entry<V> entry = new Entry<>(value);
        Entry<V> before = clock.remove(key);
        clock.putLast(key, entry);
        found.put(key, entry);
        return before == null ? null : before.value;
    }

    /**
     * {@return whether the value was in the map and is removed}
     *
     * @param key the key
     * @param value removed only if it is the value of the key
     */
    public boolean remove(K key, V value) {
        Entry<V> entry = clock.get(key);
        if (entry == null || !entry.value.equals(value)) {
            return false;
        }
        clock.remove(key);
        found.remove(key);
        return true;
    }

    /**
     * Removes an entry that was not found since the hand passed.
     *
     * @param mayGo says which values may be removed
     * @return the removed value, or null if none may be removed
     */
    public V removeOldest(Predicate<V> mayGo) {
        int size = clock.size();
        for (int i = 0; i < 2 * size; i++) {
            Map.Entry<K, Entry<V>> next = clock.firstEntry();
            Entry<V> entry = next.getValue();
            boolean isSpared = i < size && entry.isUsed; // The second round spares no entry.
            if (!isSpared && mayGo.test(entry.value)) {
                clock.remove(next.getKey());
                found.remove(next.getKey());
                return entry.value;
            }
            entry.isUsed = false;
            clock.putLast(next.getKey(), entry);
        }
        return null;
    }

    /** {@return the number of entries} */
    public int size() {
        return clock.size();
    }

    /** Removes all entries. */
    public void clear() {
        clock.clear();
        found.clear();
    }
}
