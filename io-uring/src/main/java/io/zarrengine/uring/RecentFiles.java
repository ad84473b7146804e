package io.zarrengine.uring;

import java.util.HashMap;
import java.util.Map;

/**
 * How much has been opened lately: a data set of many files is as large as all of them. What was
 * opened within half a minute is taken to be read together; a device that is slower than that
 * leaves the page cache time to forget by itself.
 *
 * <p>Two generations, so that time and memory stay bounded. Threads: any.
 */
final class RecentFiles {
    static final long GENERATION_NANOS = 15_000_000_000L;
    static final int GENERATION_FILES_MAX = 1 << 16;

    private final Map<String, Long> current = new HashMap<>(); // bytes by identity; guards the rest
    private final Map<String, Long> previous = new HashMap<>();
    private long bytes; // of both, each file once
    private long beganNanos;

    /**
     * Notes that a file is opened.
     *
     * @param nanos as {@link System#nanoTime}
     * @return bytes of all files opened lately, with this one
     */
    long opened(FileVersion file, long nanos) {
        synchronized (current) {
            if (nanos - beganNanos > GENERATION_NANOS || current.size() == GENERATION_FILES_MAX) {
                turn(nanos);
            }
            Long before = current.put(file.identity(), file.byteSize());
            if (before == null) {
                before = previous.remove(file.identity());
            }
            bytes += file.byteSize() - (before == null ? 0 : before);
            return bytes;
        }
    }

    private void turn(long nanos) {
        boolean bothAreOld = nanos - beganNanos > 2 * GENERATION_NANOS;
        previous.clear();
        if (!bothAreOld) {
            previous.putAll(current);
        }
        current.clear();
        bytes = previous.values().stream().mapToLong(Long::longValue).sum();
        beganNanos = nanos;
    }
}
