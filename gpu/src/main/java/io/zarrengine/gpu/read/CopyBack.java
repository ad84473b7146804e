package io.zarrengine.gpu.read;

import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Copies device memory to host memory, slot by slot: one slot is filled while another is emptied.
 * Threads: one.
 */
final class CopyBack {
    private final DeviceExecutor executor;
    private final DeviceSlice source;
    private final MemorySegment target;
    private final ArrayDeque<Part> parts = new ArrayDeque<>(); // being copied

    /** A part that is being copied to a slot. */
    private record Part(PinnedSlots.Slot slot, CompletableFuture<Void> done, long offset) {}

    CopyBack(DeviceExecutor executor, DeviceSlice source, MemorySegment target) {
        this.executor = executor;
        this.source = source;
        this.target = target;
    }

    /** Copies all of it, and waits for that. */
    void run() {
        try {
            for (long at = 0; at < source.byteSize(); at += executor.options().slotBytes()) {
                PinnedSlots.Slot slot = slot();
                begin(at, slot);
            }
            endAll();
        } finally {
            for (Part part : parts) { // not before the device has finished with it
                var _ = part.done.whenComplete((_, _) -> part.slot.close());
            }
        }
    }

    /**
     * Returns a slot. Takes a second one only if one is free, so that no caller waits for a slot
     * while it holds another.
     */
    private PinnedSlots.Slot slot() {
        if (parts.size() == 1) {
            var second = executor.pinnedSlots().tryTake();
            if (second.isPresent()) {
                return second.get();
            }
        }
        endAll();
        return executor.pinnedSlots().take();
    }

    private long bytes(long offset) {
        return Math.min(executor.options().slotBytes(), source.byteSize() - offset);
    }

    private void begin(long offset, PinnedSlots.Slot slot) {
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
