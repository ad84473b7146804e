package io.zarrengine.zarr.device;

import java.util.function.BiConsumer;

/** A read to a device that is under way. Threads: any. */
public interface DeviceReading {
    /**
     * Has a listener called when nobody writes to the target any more.
     *
     * @param listener gets the result or the failure; must be quick and not throw
     */
    void whenEnded(BiConsumer<DeviceMemory, Throwable> listener);

    /** {@return whether {@link #whenEnded} calls its listener at once} */
    boolean hasEnded();

    /**
     * Cancels the read. It still has to end.
     *
     * @param cause what it fails with
     */
    void fail(Throwable cause);
}
