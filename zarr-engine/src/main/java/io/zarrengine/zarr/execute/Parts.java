package io.zarrengine.zarr.execute;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbered parts of some work: each is handed out once, and the last one to end is known. Threads:
 * any.
 */
final class Parts {
    private final long count;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong left;

    Parts(long count) {
        this.count = count;
        this.left = new AtomicLong(count);
    }

    /** {@return the number of a part that nobody else gets; -1 if there is none left} */
    long take() {
        long part = taken.getAndIncrement();
        if (part < count) {
            return part;
        }
        taken.decrementAndGet(); // Asked again and again, it must not overflow.
        return -1;
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
            if (taken.compareAndSet(first, end)) {
                return new Share(first, end);
            }
        }
    }

    /** {@return how many parts nobody has taken: the caller's, who gets none twice either} */
    long takeRest() {
        return Math.max(0, count - taken.getAndAccumulate(count, Math::max));
    }

    /** Notes that a part has ended; {@return whether it was the last one} */
    boolean endOne() {
        return endSome(1);
    }

    /** The same of several; of none it is never the last one. */
    boolean endSome(long parts) {
        return parts > 0 && left.addAndGet(-parts) == 0;
    }
}
