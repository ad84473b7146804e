package io.zarrengine.zarr.device;

import java.util.Optional;
import java.util.ServiceLoader;

/** Opens the devices of engines. Threads: any. */
public interface DeviceProvider {
    /** {@return the provider on the class path or module path, or one without devices} */
    static DeviceProvider find() {
        ClassLoader loader = DeviceProvider.class.getClassLoader(); // Not the calling thread's.
        return ServiceLoader.load(DeviceProvider.class, loader)
                .findFirst()
                .orElseGet(NoDevices::new);
    }

    /** {@return why no device can be used here, or empty if one can} */
    Optional<String> unavailabilityCause();

    /** {@return why no device can read files itself here, or empty if one can} */
    Optional<String> directReadUnavailabilityCause();

    /**
     * {@return the devices of an engine} No device is opened before a read asks for it.
     *
     * @param setup what the engine has for them
     */
    Devices open(DeviceSetup setup);
}
