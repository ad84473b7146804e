package io.zarrengine.uring.files;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the files that all {@link FileCache}s of a process keep to {@link Descriptors#quarter}.
 *
 * <p>Threads: any. An empty cache is not referenced here, so a cache that is dropped without being
 * closed can be collected.
 */
final class OpenFiles {
    static final OpenFiles OF_PROCESS = new OpenFiles(Descriptors.quarter());

    private final int filesMax;
    private final Set<FileCache> caches = ConcurrentHashMap.newKeySet();
    private final AtomicInteger kept = new AtomicInteger();

    OpenFiles(int filesMax) {
        this.filesMax = Math.max(1, filesMax);
    }

    /** Counts a file that a cache has added; called with the cache's lock. */
    void added(FileCache cache) {
        caches.add(cache);
        kept.incrementAndGet();
    }

    /** Counts a file that a cache has removed; called with the cache's lock. */
    void removed(FileCache cache) {
        if (cache.size() == 0) {
            caches.remove(cache);
        }
        kept.decrementAndGet();
    }

    boolean knows(FileCache cache) {
        return caches.contains(cache);
    }

    /** Makes the largest cache give up its oldest file, until the limit is kept. */
    void trim() {
        while (kept.get() > filesMax) {
            Optional<FileCache> largest =
                    caches.stream().max(Comparator.comparingInt(FileCache::size));
            if (largest.isEmpty() || !largest.get().giveUpOldest()) {
                return; // Its files are being opened; the threads that open them will trim.
            }
        }
    }

    /** Makes each cache give up half of its files; returns whether there were any. */
    boolean shrink() {
        boolean gaveUp = false;
        for (FileCache cache : caches) {
            gaveUp |= cache.giveUpHalf();
        }
        return gaveUp;
    }
}
