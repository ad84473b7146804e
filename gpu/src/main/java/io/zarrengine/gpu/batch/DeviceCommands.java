package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/** The operations of a device beside its batches. Threads: the device's. */
public interface DeviceCommands {
    /** {@return new memory for a result} */
    Allocation allocate(long bytes) throws IOException;

    /**
     * Refuses the caller's memory that the device cannot write to.
     *
     * @throws IllegalArgumentException if the driver knows no such address
     */
    void requireAllocated(DeviceSlice callers) throws DeviceLostException;

    /** Copies device memory that is complete to a slot. */
    void copyBack(DeviceSlice source, PinnedRing.Slot slot, CompletableFuture<Void> done);

    /** Copies a slot's content to memory that was allocated here, or is the caller's. */
    void copyIn(
            PinnedRing.Slot slot,
            MemorySegment content,
            DeviceSlice target,
            CompletableFuture<Void> done);
}
