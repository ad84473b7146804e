package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.tuning.DeviceOptions;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/**
 * Runs the conformance cases with files that are read around the page cache, into memory that a
 * device copies from.
 */
final class DeviceAroundCacheConformanceTest extends DeviceConformanceTest {
    @Override
    ZarrEngine open(DeviceOptions options) throws IOException {
        Path file = good().getFirst().folder().resolve("case.json");
        return DeviceEngines.openAroundCache(options, file);
    }

    @Override
    @AfterAll
    void close() {
        if (engine == null) { // opening it was skipped
            return;
        }
        try {
            assertTrue(engine.deviceMetrics(0).bytesCopiedAsRead() > 0);
        } finally {
            super.close();
        }
    }
}
