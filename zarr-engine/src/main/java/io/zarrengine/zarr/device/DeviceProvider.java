package io.zarrengine.zarr.device;

import java.util.Optional;
import java.util.ServiceLoader;

/** Opens the devices of engines. Threads: any. */
public interface DeviceProvider {
    /** {@return the provider on the class path or module path, or one without devices} */
    static DeviceProvider find() {
        ClassLoader loader = DeviceProvider.class.getClassLoader(); // not the calling thread's
        return ServiceLoader.load(DeviceProvider.class, loader)
                .findFirst()
                .orElseGet(NoDevices::new);
    }

    /** {@return the reason why this process cannot use a device; empty if it can} */
    Optional<String> unavailabilityCause();

    /** {@return the reason why no device can read files directly; empty if one can} */
    Optional<String> directReadUnavailabilityCause();

    /**
     * {@return the devices of an engine} Opens no device before a read needs it.
     *
     * @param setup the parts of the engine that devices use
     */
    Devices open(DeviceSetup setup);
}
