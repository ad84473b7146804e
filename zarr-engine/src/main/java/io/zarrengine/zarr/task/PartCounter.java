package io.zarrengine.zarr.task;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the numbered parts of some work. Each part is handed out once, and the counter knows when
 * the last one has ended. Threads: any.
 */
public final class PartCounter {
    private final long count;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;

    public PartCounter(long count) {
        this.count = count;
        this.left = new AtomicLong(count);
    }

    /** {@return the number of a part for this caller alone; -1 if none is left} */
    public long take() {
        return take(count);
    }

    /** {@return the number of a part below an end, for this caller alone; -1 if none is left} */
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
     * Several parts in a row.
     *
     * @param first the number of the first one
     * @param end the number after the last one
     */
    record Share(long first, long end) {}

    /**
     * {@return one taker's share of the parts that are left, one part at least; null if none is
     * left}
     *
     * @param takers how many there are, {@code > 0}
     * @param max no more than these, {@code > 0}
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

    /** Notes that a part has ended; {@return how many have} */
    public long endOne() {
        return count - left.decrementAndGet();
    }

    /** {@return how many parts have ended} */
    public long ended() {
        return count - left.get();
    }

    /**
     * Notes that several parts have ended; {@return whether the last one was among them: never if
     * there are none}
     */
    public boolean endSome(long parts) {
        return parts > 0 && left.addAndGet(-parts) == 0;
    }
}
