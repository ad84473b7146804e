package io.zarrengine.gpu.batch;

import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.transform.TransformLaunch;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The operations of a device other than its batches. Threads: the device's. */
public interface DeviceCommands {
    /** {@return new memory for a result} */
    Allocation allocate(long bytes) throws IOException;

    /**
     * Frees the memory of a result.
     *
     * @param streams of callers, whose work so far uses it
     */
    void free(Allocation allocation, Collection<Long> streams);

    /**
     * Waits for a stream of a caller; the thread does not.
     *
     * @param waitsForCapture whether it also waits for a graph that the stream captures
     * @param passed completes when the stream has done what is queued in it now
     */
    void awaitStream(long stream, boolean waitsForCapture, CompletableFuture<Void> passed);

    /**
     * Checks that the device can write to the caller's memory.
     *
     * @throws IllegalArgumentException if the driver does not know the address
     */
    void requireAllocated(DeviceSlice callers) throws DeviceLostException;

    /** Copies complete device memory to a slot. */
    void copyBack(DeviceSlice source, PinnedSlots.Slot slot, CompletableFuture<Void> done);

    /**
     * Copies a slot's content to device memory that was allocated here or belongs to the caller.
     */
    void copyIn(
            PinnedSlots.Slot slot,
            MemorySegment content,
            DeviceSlice target,
            CompletableFuture<Void> done);

    /**
     * Transforms complete memory of this device.
     *
     * @param launches the channels
     * @param target receives the results; allocated here, or the caller's
     * @param done completes when the target is complete
     */
    void transform(
            List<TransformLaunch> launches, DeviceSlice target, CompletableFuture<Void> done);
}
