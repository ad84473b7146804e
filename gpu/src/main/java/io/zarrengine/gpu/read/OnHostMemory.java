package io.zarrengine.gpu.read;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.zarr.device.DeviceComputation;
import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A result in host memory, after the device failed. */
final class OnHostMemory implements DeviceMemory {
    private final NativeMemory memory;
    private final String reason;
    private final CompletableFuture<Void> unused = new CompletableFuture<>();

    OnHostMemory(NativeMemory memory, String reason) {
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
    public CompletableFuture<DeviceMemory> compute(DeviceComputation computation) {
        return CompletableFuture.failedFuture(new DeviceLostException(reason));
    }

    @Override
    public void recordStream(long stream) {
        // The device has failed: no stream uses this.
    }

    @Override
    public void close() {
        memory.close();
        unused.complete(null);
    }

    @Override
    public CompletableFuture<Void> whenUnused() {
        return unused;
    }

    @Override
    public void forget() {
        memory.close();
    }
}
