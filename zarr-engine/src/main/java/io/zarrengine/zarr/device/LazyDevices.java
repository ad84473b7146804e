package io.zarrengine.zarr.device;

import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Devices whose provider is asked for when they are first used: an engine that never reads to a
 * device loads no class of one.
 */
public final class LazyDevices implements Devices {
    private final Supplier<DeviceProvider> provider;
    private final DeviceSetup setup;
    private volatile Devices devices; // null: not used yet. Written under this
    private boolean isClosed; // guarded by this

    /**
     * Asks for nothing yet.
     *
     * @param provider finds who opens the devices
     * @param setup what the engine has for them
     */
    public LazyDevices(Supplier<DeviceProvider> provider, DeviceSetup setup) {
        this.provider = provider;
        this.setup = setup;
    }

    private Devices devices() {
        Devices opened = devices;
        return opened == null ? opened() : opened;
    }

    private synchronized Devices opened() {
        if (devices == null) {
            devices = provider.get().open(setup);
            if (isClosed) {
                devices.close();
            }
        }
        return devices;
    }

    @Override
    public DeviceReading read(int device, DeviceJob job) {
        return devices().read(device, job);
    }

    @Override
    public DeviceReading read(int device, DeviceJob job, long pointer) {
        return devices().read(device, job, pointer);
    }

    @Override
    public Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines) {
        return devices().hostReason(plan, bytes, pipelines);
    }

    @Override
    public Optional<DeviceCounters> counters(int device) {
        Devices opened = devices;
        return opened == null ? Optional.empty() : opened.counters(device);
    }

    @Override
    public void close() {
        Devices opened;
        synchronized (this) {
            isClosed = true;
            opened = devices;
        }
        if (opened != null) {
            opened.close();
        }
    }
}
