package io.zarrengine.zarr.device;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;

/**
 * The devices of an engine, numbered from 0.
 *
 * <p>Owner: the engine, which closes them after its workers have ended. Threads: any.
 */
public interface Devices extends AutoCloseable {
    /**
     * Starts a read to new memory of a device.
     *
     * @param device number of the device
     * @param job describes the read
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     * @throws ClosedException if the devices are closed
     */
    DeviceReading read(int device, DeviceJob job);

    /**
     * Starts a read to the caller's memory on a device.
     *
     * @param device number of the device
     * @param job describes the read
     * @param target the memory
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     * @throws ClosedException if the devices are closed
     */
    DeviceReading read(int device, DeviceJob job, TargetAddress target);

    /**
     * {@return the reason why a read goes to host memory first; empty if its chunks go to the
     * device}
     *
     * @param plan the chunks
     * @param bytes size of the result
     * @param pipelines decode the chunks
     */
    Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines);

    /**
     * {@return the counters of a device; empty if it was never used}
     *
     * @param device number of the device
     */
    Optional<DeviceCounters> counters(int device);

    /** Waits until no read is running, and closes the devices. */
    @Override
    void close();
}
