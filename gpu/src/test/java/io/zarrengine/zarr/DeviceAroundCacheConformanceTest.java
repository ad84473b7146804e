package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.tuning.DeviceOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** The same from files that are read around the page cache, to where a device copies from. */
final class DeviceAroundCacheConformanceTest extends DeviceConformanceTest {
    @Override
    ZarrEngine open(DeviceOptions options) throws IOException {
        Path file = good().getFirst().folder().resolve("case.json");
        return DeviceEngines.openAroundCache(options, file);
    }

    @Override
    @AfterAll
    void close() {
        if (engine == null) { // Opening it was given up.
            return;
        }
        try {
            assertTrue(engine.deviceMetrics(0).bytesCopiedAsRead() > 0);
        } finally {
            super.close();
        }
    }
}
