package io.zarrengine.zarr.device;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Memory that holds the elements of a read.
 *
 * <p>Owner: the caller who got it. Threads: any.
 */
public interface DeviceMemory extends AutoCloseable {
    /**
     * {@return its address, on the device, or in this process if there is a {@link #hostReason}}
     */
    long pointer();

    /** {@return its length in bytes} */
    long byteSize();

    /** {@return whether {@link #close} frees it: it is not the caller's} */
    boolean isOwn();

    /** {@return why it is memory of the host, or empty if it is the device's} */
    Optional<String> hostReason();

    /**
     * Copies it, and waits.
     *
     * @param target at least as large
     * @throws IllegalStateException if it is closed
     * @throws ClosedException if it is the caller's memory on a device, and the engine is closed
     * @throws DeviceLostException if the device has failed since
     */
    void copyTo(MemorySegment target);

    /** Frees it, if it is not the caller's. */
    @Override
    void close();

    /** Frees memory that nobody has closed and nobody can, once the device does not use it. */
    void forget();
}
