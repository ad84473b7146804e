package io.zarrengine.zarr;

import org.junit.jupiter.api.BeforeEach;

/**
 * Runs the read contract with direct reads, and with slots so small that most chunks are read in
 * blocks.
 */
final class DeviceTinySlotsDirectReadTest extends DeviceLargeChunkContract {
    @Override
    @BeforeEach
    void open() {
        engine = DeviceEngines.openDirect(TINY);
    }
}
