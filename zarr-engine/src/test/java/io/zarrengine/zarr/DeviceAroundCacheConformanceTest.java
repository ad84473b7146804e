package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.device.DeviceOptions;
import org.junit.jupiter.api.AfterAll;

/** The same from files that are read around the page cache, to where a device copies from. */
final class DeviceAroundCacheConformanceTest extends DeviceConformanceTest {
    @Override
    ZarrEngine open(DeviceOptions options) {
        return DeviceEngines.openAroundCache(options);
    }

    @Override
    @AfterAll
    void close() {
        try {
            assertTrue(engine.deviceMetrics(0).bytesCopiedAsRead() > 0);
        } finally {
            super.close();
        }
    }
}
