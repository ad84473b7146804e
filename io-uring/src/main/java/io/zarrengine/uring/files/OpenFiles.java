package io.zarrengine.uring.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files that the {@link FileCache}s of a process hold together: half of the descriptors that it
 * may have, so that the program around has the others.
 *
 * <p>Threads: any. Nothing here is called with a cache's lock.
 */
final class OpenFiles {
    private static final Path LIMITS = Path.of("/proc/self/limits"); // proc_pid_limits(5)
    private static final String DESCRIPTORS = "Max open files";
    private static final String NO_LIMIT = "unlimited";
    private static final int USUAL_DESCRIPTORS = 1024;

    static final OpenFiles OF_PROCESS = new OpenFiles(descriptorsMax(limits()) / 2);

    private final int filesMax;
    private final Set<FileCache> caches = ConcurrentHashMap.newKeySet();
    private final AtomicInteger held = new AtomicInteger();

    OpenFiles(int filesMax) {
        this.filesMax = Math.max(1, filesMax);
    }

    private static List<String> limits() {
        try {
            return Files.readAllLines(LIMITS);
        } catch (IOException e) {
            return List.of(); // Not Linux, or hidden.
        }
    }

    /** {@return how many a process may have, by its lines of proc_pid_limits(5)} */
    static int descriptorsMax(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(DESCRIPTORS)) {
                String soft = line.substring(DESCRIPTORS.length()).strip().split(" +", 2)[0];
                return NO_LIMIT.equals(soft)
                        ? Integer.MAX_VALUE
                        : (int) Math.min(Integer.MAX_VALUE, Long.parseUnsignedLong(soft));
            }
        }
        return USUAL_DESCRIPTORS;
    }

    void join(FileCache cache) {
        caches.add(cache);
    }

    void leave(FileCache cache) {
        caches.remove(cache);
    }

    /** One more, or fewer. */
    void count(int files) {
        held.addAndGet(files);
    }

    /** The cache that holds most gives up its oldest file, until they are few enough. */
    void trim() {
        while (held.get() > filesMax) {
            Optional<FileCache> largest =
                    caches.stream().max(Comparator.comparingInt(FileCache::size));
            if (largest.isEmpty() || !largest.get().giveUpOldest()) {
                return; // All of them are being opened.
            }
        }
    }

    /** Each gives up half of its files; {@return whether there was anything to give up} */
    boolean shrink() {
        boolean gaveUp = false;
        for (FileCache cache : caches) {
            gaveUp |= cache.shrink();
        }
        return gaveUp;
    }
}
