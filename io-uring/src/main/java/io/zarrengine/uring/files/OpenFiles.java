package io.zarrengine.uring.files;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files that the {@link FileCache}s of a process keep together: no more than {@link
 * Descriptors#quarter}.
 *
 * <p>Threads: any. A cache that keeps nothing is not known here, so one that is forgotten without
 * being closed goes the way of all objects.
 */
final class OpenFiles {
    static final OpenFiles OF_PROCESS = new OpenFiles(Descriptors.quarter());

    private final int filesMax;
    private final Set<FileCache> caches = ConcurrentHashMap.newKeySet();
    private final AtomicInteger kept = new AtomicInteger();

    OpenFiles(int filesMax) {
        this.filesMax = Math.max(1, filesMax);
    }

    /** A cache keeps one more; called with its lock. */
    void added(FileCache cache) {
        caches.add(cache);
        kept.incrementAndGet();
    }

    /** A cache keeps one fewer; called with its lock. */
    void removed(FileCache cache) {
        if (cache.size() == 0) {
            caches.remove(cache);
        }
        kept.decrementAndGet();
    }

    boolean knows(FileCache cache) {
        return caches.contains(cache);
    }

    /** The cache that keeps most gives up its oldest file, until they are few enough. */
    void trim() {
        while (kept.get() > filesMax) {
            Optional<FileCache> largest =
                    caches.stream().max(Comparator.comparingInt(FileCache::size));
            if (largest.isEmpty() || !largest.get().giveUpOldest()) {
                return; // Its files are being opened: who opens them trims.
            }
        }
    }

    /** Each cache gives up half of its files; {@return whether there was anything to give up} */
    boolean shrink() {
        boolean gaveUp = false;
        for (FileCache cache : caches) {
            gaveUp |= cache.giveUpHalf();
        }
        return gaveUp;
    }
}
