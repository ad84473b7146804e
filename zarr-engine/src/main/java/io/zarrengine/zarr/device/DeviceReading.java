package io.zarrengine.zarr.device;

import java.util.function.BiConsumer;

/** A running read to a device. Threads: any. */
public interface DeviceReading {
    /**
     * Registers a listener, called once no thread writes to the target any more.
     *
     * @param listener gets the result or the failure; must be quick and not throw
     */
    void whenEnded(BiConsumer<DeviceMemory, Throwable> listener);

    /** {@return whether {@link #whenEnded} calls its listener at once} */
    boolean hasEnded();

    /**
     * Cancels the read, which ends later.
     *
     * @param cause the failure of the read
     */
    void fail(Throwable cause);
}
