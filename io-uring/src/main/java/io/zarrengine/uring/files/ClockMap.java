package io.zarrengine.uring.files;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * What a cache keeps, by key: what nobody has found lately goes first (the clock algorithm).
 *
 * <p>Threads: {@link #find} any, without a lock: threads that read small pieces would wait for each
 * other at every one, and more threads than cores did so for longer than they read. All else: one
 * at a time.
 *
 * @param <K> the keys
 * @param <V> what is kept
 */
public final class ClockMap<K, V> {
    private static final class Entry<V> {
        private final V value;
        private volatile boolean isUsed; // since the clock's hand came by

        Entry(V value) {
            this.value = value;
        }
    }

    private final ConcurrentHashMap<K, Entry<V>> found = new ConcurrentHashMap<>();
    private final LinkedHashMap<K, Entry<V>> clock = new LinkedHashMap<>(); // the hand's next first

    /** Keeps nothing yet. */
    public ClockMap() {}

    /**
     * {@return what is kept for a key, or null; it may be taken out meanwhile}
     *
     * @param key any key
     */
    public V find(K key) {
        Entry<V> entry = found.get(key);
        if (entry == null) {
            return null;
        }
        if (!entry.isUsed) { // Else each would take the cache's line from the other cores.
            entry.isUsed = true;
        }
        return entry.value;
    }

    /**
     * {@return what was kept for the key before, or null}
     *
     * @param key where it is found
     * @param value what to keep; unless it is found, it goes before those that are
     */
    public V put(K key, V value) {
        Entry<V> entry = new Entry<>(value);
        Entry<V> before = clock.remove(key);
        clock.putLast(key, entry);
        found.put(key, entry);
        return before == null ? null : before.value;
    }

    /**
     * {@return whether a value was kept, and is no more}
     *
     * @param key where it is found
     * @param value what to remove, if it is that
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
     * Takes out what was not found since the hand came by.
     *
     * @param mayGo which ones
     * @return what goes, or null if none may
     */
    public V removeOldest(Predicate<V> mayGo) {
        int size = clock.size();
        for (int i = 0; i < 2 * size; i++) {
            Map.Entry<K, Entry<V>> next = clock.firstEntry();
            Entry<V> entry = next.getValue();
            boolean isSpared = i < size && entry.isUsed; // Who is found all the time goes, too.
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

    /** {@return how many are kept} */
    public int size() {
        return clock.size();
    }

    /** Keeps none of them any more. */
    public void clear() {
        clock.clear();
        found.clear();
    }
}
