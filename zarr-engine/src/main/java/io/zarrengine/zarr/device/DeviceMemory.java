package io.zarrengine.zarr.device;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.UseCount;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

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

    /** {@return whether {@link #close} frees it: it is not the caller's} */
    public abstract boolean isOwn();

    /** {@return why it is memory of the host, or empty if it is the device's} */
    public abstract Optional<String> hostReason();

    /**
     * Copies it, and waits.
     *
     * @param target as large, or larger
     * @throws IllegalStateException if it is closed
     * @throws io.zarrengine.zarr.errors.ClosedException if it is memory of the caller's on a
     *     device, and the engine is closed
     * @throws io.zarrengine.zarr.errors.DeviceLostException if the device has failed since
     */
    public abstract void copyTo(MemorySegment target);

    /** Frees it, if it is not the caller's. */
    @Override
    public abstract void close();

    /** Nobody has closed it, and nobody can: frees it when the device does not use it any more. */
    public abstract void forget();

    /** Memory of a device. */
    static final class OnDevice extends DeviceMemory {
        private final DeviceExecutor executor;
        private final DeviceSlice slice;
        private final Allocation allocation; // null: the caller's memory, or none
        private final boolean isOwn;
        private final UseCount users = new UseCount("device memory"); // the owner, and copies

        OnDevice(DeviceExecutor executor, DeviceSlice slice, Allocation allocation, boolean isOwn) {
            this.executor = executor;
            this.slice = slice;
            this.allocation = allocation;
            this.isOwn = isOwn;
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
        public boolean isOwn() {
            return isOwn;
        }

        @Override
        public Optional<String> hostReason() {
            return Optional.empty();
        }

        @Override
        public void copyTo(MemorySegment target) {
            users.add();
            try {
                copyHeld(target);
            } finally {
                release();
            }
        }

        /** What was allocated keeps the device's thread; what is the caller's does not. */
        private void copyHeld(MemorySegment target) {
            boolean isHeld = isOwn || slice.byteSize() == 0;
            if (!isHeld) {
                executor.hold();
            }
            try {
                new CopyBack(executor, slice, target).run();
            } finally {
                if (!isHeld) {
                    executor.letGo();
                }
            }
        }

        private void release() {
            if (users.removeIsLast() && allocation != null) {
                executor.free(allocation);
            }
        }

        /** Copies that are under way still end with what they copy. */
        @Override
        public void close() {
            release();
        }

        @Override
        public void forget() {
            executor.forgotten().add(this::close);
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
        public boolean isOwn() {
            return true;
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

        @Override
        public void forget() {
            memory.close();
        }
    }
}
