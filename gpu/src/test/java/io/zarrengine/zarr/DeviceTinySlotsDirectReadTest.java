package io.zarrengine.zarr;

import org.junit.jupiter.api.BeforeEach;

/** The same of all layouts and types, with slots so small that most chunks are read in blocks. */
final class DeviceTinySlotsDirectReadTest extends DeviceLargeChunkContract {
    @Override
    @BeforeEach
    void open() {
        engine = DeviceEngines.openDirect(TINY);
    }
}
