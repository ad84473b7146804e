package io.zarrengine.zarr.device;

import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.task.ReadRequest;

/**
 * The work of one read to a device.
 *
 * @param source the array
 * @param plan the chunks of the read
 * @param bytes size of the result
 */
public record DeviceJob(ReadRequest.Source source, ChunkPlan plan, long bytes) {}
