package io.zarrengine.zarr.task;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Hands out the numbered parts of some work, each part once, and counts the parts that have ended.
 * Threads: any.
 */
public final class PartCounter {
    private final long count;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;

    public PartCounter(long count) {
        this.count = count;
        this.left = new AtomicLong(count);
    }

    /** Takes a part; {@return its number, or -1 if no part is left} */
    public long take() {
        return take(count);
    }

    /** Takes a part below an end; {@return its number, or -1 if no such part is left} */
    public long take(long end) {
        while (true) {
            long part = taken.get();
            if (part >= Math.min(end, count)) {
                return -1;
            }
            if (taken.compareAndSet(part, part + 1)) {
                return part;
            }
        }
    }

    /** {@return whether a part below an end is left} */
    public boolean hasNext(long end) {
        return taken.get() < Math.min(end, count);
    }

    /**
     * Consecutive parts.
     *
     * @param first number of the first part
     * @param end number of the last part, plus 1
     */
    record Share(long first, long end) {}

    /**
     * Takes an equal share of the parts that are left, at least one part; {@return the share, or
     * null if no part is left}
     *
     * @param takers number of callers that share the parts, {@code > 0}
     * @param max maximum number of parts, {@code > 0}
     */
    Share takeShare(int takers, int max) {
        while (true) {
            long first = taken.get();
            if (first >= count) {
                return null;
            }
            long end = first + Math.clamp((count - first) / takers, 1, max);
            Share share = new Share(first, end);
            if (taken.compareAndSet(first, end)) {
                return share;
            }
        }
    }

    /** Takes all parts that are left; {@return their number} */
    public long takeRest() {
        return count - taken.getAndSet(count);
    }

    /** Counts a part that has ended; {@return the number of all parts that have} */
    public long endOne() {
        return count - left.decrementAndGet();
    }

    /** {@return the number of parts that have ended} */
    public long ended() {
        return count - left.get();
    }

    /**
     * Counts several parts that have ended; {@return whether the last part of all is among them,
     * which is false for no parts}
     */
    public boolean endSome(long parts) {
        return parts > 0 && left.addAndGet(-parts) == 0;
    }
}
