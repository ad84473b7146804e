package io.zarrengine.gpu.read;

import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.gpu.tuning.DecoderChoice;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pinned slots of small reads. The workers wait for slots, so small reads, which only workers
 * give back, never have all of them. Owner: the device's executor. Threads: any.
 */
final class SmallSlots {
    /** Copied in 20 µs; what is larger is copied while other parts of it are decoded. */
    private static final long BYTES_MAX = 1 << 20;

    /** Small reads take no more than this part of the slots. */
    private static final int SHARE = 4;

    private final PinnedRing ring;
    private final DeviceOptions options;
    private final DecoderChoice choice;
    private final AtomicInteger taken = new AtomicInteger();

    SmallSlots(PinnedRing ring, DeviceOptions options, DecoderChoice choice) {
        this.ring = ring;
        this.options = options;
        this.choice = choice;
    }

    /**
     * {@return a slot for a small read, or null if it goes with the others: the device has enough
     * to decode, or there are too few slots}
     *
     * @param bytes of the result
     * @param chunks about how many it has
     */
    PinnedRing.Slot tryTake(long bytes, long chunks) {
        boolean isSmall = bytes <= Math.min(BYTES_MAX, options.slotBytes());
        if (!isSmall || choice.isLoadedWith(chunks - 1)) {
            return null;
        }
        if (taken.incrementAndGet() <= options.slots() / SHARE) {
            Optional<PinnedRing.Slot> slot = ring.tryTake();
            if (slot.isPresent()) {
                return slot.get();
            }
        }
        taken.decrementAndGet();
        return null;
    }

    /** Ends what {@link #tryTake} began. */
    void giveBack(PinnedRing.Slot slot) {
        slot.close();
        taken.decrementAndGet();
    }

    /** {@return whether the host decodes something that is copied as soon as it is there} */
    boolean areInUse() {
        return taken.get() > 0;
    }
}
