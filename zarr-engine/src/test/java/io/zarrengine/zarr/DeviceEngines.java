package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceOptions;

/** Engines for tests of a GPU. */
final class DeviceEngines {
    /** Small slots and batches, so that small arrays fill several; the CPU decodes nothing. */
    static final DeviceOptions SMALL = new DeviceOptions(256L << 20, 8, 256 << 10, 64, 4L << 20, 0);

    private DeviceEngines() {}

    /** {@return an engine that gives the GPU whatever it takes} */
    static ZarrEngine open() {
        return ZarrEngine.builder().workers(4).deviceOptions(SMALL).open();
    }
}
