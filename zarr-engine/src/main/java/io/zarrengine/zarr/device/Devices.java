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
     * @param device its number
     * @param job what to read
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     * @throws ClosedException if the devices are closed
     */
    DeviceReading read(int device, DeviceJob job);

    /**
     * Starts a read to the caller's memory on a device.
     *
     * @param device its number
     * @param job what to read
     * @param pointer address of the first element on the device
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     * @throws ClosedException if the devices are closed
     */
    DeviceReading read(int device, DeviceJob job, long pointer);

    /**
     * {@return why a read goes to memory of the host first, or empty if its chunks go to the
     * device}
     *
     * @param plan the chunks
     * @param bytes size of the result
     * @param pipelines how the chunks are encoded
     */
    Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines);

    /**
     * {@return counts of what a device has done, or empty if it was never used}
     *
     * @param device its number
     */
    Optional<DeviceCounters> counters(int device);

    /** Waits until nothing is under way, and closes the devices. */
    @Override
    void close();
}
