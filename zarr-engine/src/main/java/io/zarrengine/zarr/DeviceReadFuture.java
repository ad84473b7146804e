package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceMemory;
import io.zarrengine.zarr.device.DeviceReading;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The caller's view of a read to a device; completes as {@link ReadFuture} does. */
final class DeviceReadFuture extends CompletableFuture<DeviceTensor> {
    private final DeviceReading reading;

    private DeviceReadFuture(DeviceReading reading) {
        this.reading = reading;
    }

    static DeviceReadFuture of(DeviceReading reading, Function<DeviceMemory, DeviceTensor> result) {
        DeviceReadFuture future = new DeviceReadFuture(reading);
        reading.whenEnded((memory, failure) ->
                Thread.startVirtualThread(() -> future.end(memory, failure, result)));
        return future;
    }

    private void end(
            DeviceMemory memory, Throwable failure, Function<DeviceMemory, DeviceTensor> result) {
        if (failure == null) {
            complete(result.apply(memory));
        } else {
            completeExceptionally(failure);
        }
    }

    /**
     * Asks for the read to be given up. The future completes a little later.
     *
     * @return whether it had not completed before
     */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        reading.fail(new CancellationException("the read was cancelled"));
        return !isDone();
    }
}
