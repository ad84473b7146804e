package io.zarrengine.uring.ranges;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides whether a caller should try to read from the page cache itself. A hit saves the hand-over
 * to another thread; a miss costs 12 to 20 us, because the kernel starts readahead before it
 * answers.
 *
 * <p>Threads: any.
 */
final class InlineReads {
    /** Longer reads are better shared by the workers. */
    static final long BYTES_MAX = 256 << 10;

    /** Misses in a row after which callers stop trying. */
    private static final int MISSES_MAX = 8;

    /** After that, one request in this many tries again. */
    private static final int PROBE_EACH = 32;

    private final AtomicInteger missesInARow = new AtomicInteger();

    boolean isWorthATry(long bytes) {
        if (bytes > BYTES_MAX) {
            return false;
        }
        int misses = missesInARow.get();
        if (misses < MISSES_MAX) {
            return true;
        }
        return missesInARow.incrementAndGet() % PROBE_EACH == 0;
    }

    void hit() {
        if (missesInARow.get() != 0) {
            missesInARow.set(0);
        }
    }

    void missed() {
        if (missesInARow.get() < MISSES_MAX) {
            missesInARow.incrementAndGet();
        }
    }
}
