package io.zarrengine.zarr.device;

import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Devices that find their provider on first use. An engine that never reads to a device loads no
 * class of a provider.
 */
public final class LazyDevices implements Devices {
    private final Supplier<DeviceProvider> provider;
    private final DeviceSetup setup;
    private volatile Devices devices; // null before the first use; written under this
    private boolean isClosed; // guarded by this

    /**
     * Looks for no provider yet.
     *
     * @param provider finds the provider, which opens the devices
     * @param setup the parts of the engine that devices use
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
    public DeviceReading read(int device, DeviceJob job, TargetAddress target) {
        return devices().read(device, job, target);
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
