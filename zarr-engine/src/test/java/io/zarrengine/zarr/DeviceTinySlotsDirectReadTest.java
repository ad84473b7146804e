package io.zarrengine.zarr;

import io.zarrengine.zarr.device.DeviceOptions;
import org.junit.jupiter.api.BeforeEach;

/** The same of all layouts and types, with slots so small that most chunks are read in blocks. */
final class DeviceTinySlotsDirectReadTest extends DeviceReadContract {
    private static final DeviceOptions TINY =
            new DeviceOptions(256L << 20, 8, 4096, 64, 4L << 20, 0, 0, 0);

    DeviceTinySlotsDirectReadTest() {
        super(TINY);
    }

    @Override
    @BeforeEach
    void open() {
        engine = DeviceEngines.openDirect(TINY);
    }
}
