package io.zarrengine.uring.ranges;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a caller should try to read from the page cache itself. A hit saves the hand-over to
 * another thread; a miss costs 12 to 20 us, since the kernel starts a readahead before it answers.
 *
 * <p>Threads: any.
 */
final class InlineReads {
    /** Longer ones are better shared by the workers. */
    static final long BYTES_MAX = 256 << 10;

    /** Misses in a row before callers stop trying. */
    private static final int MISSES_MAX = 8;

    /** Then one of so many requests tries again. */
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
