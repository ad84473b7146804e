package io.zarrengine.zarr.device;

import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;

/** The provider of a program without another one. Refuses every read. */
final class NoDevices implements DeviceProvider, Devices {
    private static final String CAUSE =
            "the module io.zarrengine.gpu is missing: add the dependency io.zarrengine:gpu";

    @Override
    public Optional<String> unavailabilityCause() {
        return Optional.of(CAUSE);
    }

    @Override
    public Optional<String> directReadUnavailabilityCause() {
        return unavailabilityCause();
    }

    @Override
    public Devices open(DeviceSetup setup) {
        return this;
    }

    @Override
    public DeviceReading read(int device, DeviceJob job) {
        throw new DeviceUnavailableException("cuda:" + device, CAUSE, null);
    }

    @Override
    public DeviceReading read(int device, DeviceJob job, TargetAddress target) {
        return read(device, job);
    }

    @Override
    public Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines) {
        return unavailabilityCause();
    }

    @Override
    public Optional<DeviceCounters> counters(int device) {
        return Optional.empty();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
