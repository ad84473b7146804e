package io.zarrengine.zarr.task;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbered parts of some work: each is handed out once, and the last one to end is known. Threads:
 * any.
 */
public final class PartCounter {
    private final long count;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;

    public PartCounter(long count) {
        this.count = count;
        this.left = new AtomicLong(count);
    }

    /** {@return the number of a part that nobody else gets; -1 if there is none left} */
    public long take() {
        return take(count);
    }

    /** The same of parts whose numbers are below an end. */
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
     * Several parts.
     *
     * @param first the number of the first one
     * @param end behind the last one
     */
    record Share(long first, long end) {}

    /**
     * {@return as many parts as one of some takers should have of those that are left, one at
     * least; null if there is none left}
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
            Share share = new Share(first, end); // Before: without memory nobody has taken it.
            if (taken.compareAndSet(first, end)) {
                return share;
            }
        }
    }

    /** {@return how many parts nobody has taken: the caller's, who gets none twice either} */
    public long takeRest() {
        return count - taken.getAndSet(count); // No lambda: to link one takes memory.
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
     * Notes that several parts have ended; {@return whether the last one was among them, never of
     * none}
     */
    public boolean endSome(long parts) {
        return parts > 0 && left.addAndGet(-parts) == 0;
    }
}
