package io.zarrengine.zarr.device;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Memory that holds the elements of a read.
 *
 * <p>Owner: the caller that got it. Threads: any.
 */
public interface DeviceMemory extends AutoCloseable {
    /** {@return the address on the device, or in this process if there is a {@link #hostReason}} */
    long pointer();

    /** {@return the length in bytes} */
    long byteSize();

    /** {@return whether {@link #close} frees the memory, because it is not the caller's} */
    boolean isOwn();

    /** {@return the reason why this is host memory; empty if it is device memory} */
    Optional<String> hostReason();

    /**
     * Copies the elements, and waits until the copy is done.
     *
     * @param target at least as large
     * @throws IllegalStateException if this is closed
     * @throws ClosedException if this is the caller's memory on a device, and the engine is closed
     * @throws DeviceLostException if the device has failed since
     */
    void copyTo(MemorySegment target);

    /**
     * Starts to compute the elements of other memory on the same device.
     *
     * @param computation reads memories of this device, all complete; they may be closed meanwhile
     * @return its future fails with an {@link IllegalArgumentException} if the device cannot
     *     compute that, with a {@link DeviceLostException} if it has failed, with a {@link
     *     ClosedException} if the engine is closed
     */
    CompletableFuture<DeviceMemory> compute(DeviceComputation computation);

    /**
     * Notes that a stream of the caller uses the memory: it is freed after the work that is queued
     * in the stream when this is closed; if the stream captures a graph then, after the capture.
     *
     * @param stream a {@code cudaStream_t}
     */
    void recordStream(long stream);

    /**
     * {@return completes when this is closed and the work is done that the recorded streams had
     * queued then} Fails with a {@link ClosedException} or {@link DeviceLostException} if nobody
     * can tell any more.
     */
    CompletableFuture<Void> whenUnused();

    /** Frees the memory, if it is not the caller's. */
    @Override
    void close();

    /**
     * Frees memory that the caller did not close and can no longer reach, once the device does not
     * use it.
     */
    void forget();
}
