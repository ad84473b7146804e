package io.zarrengine.zarr.device;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where the elements of a read lie.
 *
 * <p>Owner: who got it. Threads: any.
 */
public abstract sealed class DeviceMemory implements AutoCloseable {
    private DeviceMemory() {}

    /**
     * {@return its address, on the device, or in this process if there is a {@link #hostReason}}
     */
    public abstract long pointer();

    /** {@return its length in bytes} */
    public abstract long byteSize();

    /** {@return why it is memory of the host, or empty if it is the device's} */
    public abstract Optional<String> hostReason();

    /**
     * Copies it, and waits.
     *
     * @param target as large, or larger
     */
    public abstract void copyTo(MemorySegment target);

    @Override
    public abstract void close();

    /** Memory of a device. */
    static final class OnDevice extends DeviceMemory {
        private final DeviceExecutor executor;
        private final DeviceSlice slice;
        private final Allocation allocation; // null: the caller's memory, or none

        OnDevice(DeviceExecutor executor, DeviceSlice slice, Allocation allocation) {
            this.executor = executor;
            this.slice = slice;
            this.allocation = allocation;
        }

        @Override
        public long pointer() {
            return slice.address();
        }

        @Override
        public long byteSize() {
            return slice.byteSize();
        }

        @Override
        public Optional<String> hostReason() {
            return Optional.empty();
        }

        /** A part that is on its way to a slot. */
        private record Part(PinnedRing.Slot slot, CompletableFuture<Void> done, long offset) {}

        @Override
        public void copyTo(MemorySegment target) {
            ArrayDeque<Part> parts = new ArrayDeque<>();
            long step = executor.slotBytes();
            try {
                for (long at = 0; at < slice.byteSize(); at += step) {
                    parts.add(begin(at, Math.min(step, slice.byteSize() - at)));
                    if (parts.size() > 1) {
                        end(parts.remove(), target);
                    }
                }
                while (!parts.isEmpty()) {
                    end(parts.remove(), target);
                }
            } finally {
                for (Part part : parts) { // Not before the device is done with it.
                    var _ = part.done.whenComplete((_, _) -> part.slot.close());
                }
            }
        }

        private Part begin(long offset, long bytes) {
            PinnedRing.Slot slot = executor.takePinned();
            CompletableFuture<Void> done = new CompletableFuture<>();
            executor.post(pump -> pump.copyBack(slice.slice(offset, bytes), slot, done));
            return new Part(slot, done, offset);
        }

        private void end(Part part, MemorySegment target) {
            try {
                Devices.join(part.done);
                long bytes = Math.min(executor.slotBytes(), slice.byteSize() - part.offset);
                MemorySegment.copy(part.slot.segment(), 0, target, part.offset, bytes);
            } finally {
                part.slot.close();
            }
        }

        @Override
        public void close() {
            if (allocation != null) {
                executor.free(allocation);
            }
        }
    }

    /** Memory of the host, where the device failed. */
    static final class OnHost extends DeviceMemory {
        private final NativeMemory memory;
        private final String reason;

        OnHost(NativeMemory memory, String reason) {
            this.memory = memory;
            this.reason = reason;
        }

        @Override
        public long pointer() {
            return memory.segment().address();
        }

        @Override
        public long byteSize() {
            return memory.segment().byteSize();
        }

        @Override
        public Optional<String> hostReason() {
            return Optional.of(reason);
        }

        @Override
        public void copyTo(MemorySegment target) {
            MemorySegment.copy(memory.segment(), 0, target, 0, byteSize());
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
