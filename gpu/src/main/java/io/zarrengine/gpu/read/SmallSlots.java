package io.zarrengine.gpu.read;

import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.tuning.DecoderRule;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pinned slots of small reads. Only workers give these slots back, and workers also wait for
 * slots, so small reads never take all of them. Owner: the device's executor. Threads: any.
 */
final class SmallSlots {
    /** Copied in 20 µs. Larger reads are copied while other parts of them are decoded. */
    private static final long BYTES_MAX = 1 << 20;

    /** Divisor for the part of the slots that small reads may take. */
    private static final int SHARE = 4;

    private final PinnedSlots slots;
    private final DeviceOptions options;
    private final DecoderRule rule;
    private final AtomicInteger taken = new AtomicInteger();

    SmallSlots(PinnedSlots slots, DeviceOptions options, DecoderRule rule) {
        this.slots = slots;
        this.options = options;
        this.rule = rule;
    }

    /**
     * {@return a slot for a small read; null if the device has enough to decode or too few slots
     * are free, so that the read takes the normal path}
     *
     * @param bytes the size of the result in bytes
     * @param chunks the approximate number of chunks
     */
    PinnedSlots.Slot tryTake(long bytes, long chunks) {
        boolean isSmall = bytes <= Math.min(BYTES_MAX, options.slotBytes());
        if (!isSmall || rule.isLoadedWith(chunks - 1)) {
            return null;
        }
        if (taken.incrementAndGet() <= options.slots() / SHARE) {
            Optional<PinnedSlots.Slot> slot = slots.tryTake();
            if (slot.isPresent()) {
                return slot.get();
            }
        }
        taken.decrementAndGet();
        return null;
    }

    /** Ends a {@link #tryTake}. */
    void giveBack(PinnedSlots.Slot slot) {
        slot.close();
        taken.decrementAndGet();
    }

    /**
     * {@return whether the host is decoding a small read, which is copied as soon as it is decoded}
     */
    boolean areInUse() {
        return taken.get() > 0;
    }
}
