package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Brings memory of a device to memory of the host, slot by slot: one is on its way while another
 * one is emptied. Threads: one.
 */
final class CopyBack {
    private final DeviceExecutor executor;
    private final DeviceSlice source;
    private final MemorySegment target;
    private final ArrayDeque<Part> parts = new ArrayDeque<>(); // on their way

    /** A part that is on its way to a slot. */
    private record Part(PinnedRing.Slot slot, CompletableFuture<Void> done, long offset) {}

    CopyBack(DeviceExecutor executor, DeviceSlice source, MemorySegment target) {
        this.executor = executor;
        this.source = source;
        this.target = target;
    }

    /** Waits for all of it. */
    void run() {
        try {
            for (long at = 0; at < source.byteSize(); at += executor.options().slotBytes()) {
                PinnedRing.Slot slot = slot();
                begin(at, slot);
            }
            endAll();
        } finally {
            for (Part part : parts) { // Not before the device is done with it.
                var _ = part.done.whenComplete((_, _) -> part.slot.close());
            }
        }
    }

    /** A second one is taken if there is one: nobody waits for a slot with another in his hands. */
    private PinnedRing.Slot slot() {
        if (parts.size() == 1) {
            var second = executor.ring().tryTake();
            if (second.isPresent()) {
                return second.get();
            }
        }
        endAll();
        return executor.ring().take();
    }

    private long bytes(long offset) {
        return Math.min(executor.options().slotBytes(), source.byteSize() - offset);
    }

    private void begin(long offset, PinnedRing.Slot slot) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        parts.add(new Part(slot, done, offset));
        DeviceSlice part = source.slice(offset, bytes(offset));
        executor.work().post(device -> device.copyBack(part, slot, done));
        if (parts.size() > 1) {
            endOne();
        }
    }

    private void endAll() {
        while (!parts.isEmpty()) {
            endOne();
        }
    }

    private void endOne() {
        Part part = parts.remove();
        try {
            Failures.join(part.done);
            MemorySegment.copy(part.slot.segment(), 0, target, part.offset, bytes(part.offset));
        } finally {
            part.slot.close();
        }
    }
}
