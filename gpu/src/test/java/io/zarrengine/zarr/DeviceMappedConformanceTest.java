package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;

/**
 * Runs the conformance cases with files that the device copies from the page cache by itself. Each
 * case is read several times, because files are registered after the first request.
 */
class DeviceMappedConformanceTest extends DeviceConformanceTest {
    private static final int TIMES = 3;

    @Override
    ZarrEngine open(DeviceOptions options) {
        return DeviceEngines.openMapping(options, Long.MAX_VALUE);
    }

    static List<Conformance.Case> good() {
        return severalTimes("good");
    }

    static List<Conformance.Case> bad() {
        return severalTimes("bad");
    }

    private static List<Conformance.Case> severalTimes(String folder) {
        return Conformance.cases(folder).stream()
                .flatMap(c -> Stream.generate(() -> c).limit(TIMES))
                .toList();
    }

    @Override
    @AfterAll
    void close() {
        try {
            assertTrue(engine.deviceMetrics(0).bytesCopiedFromFiles() > 0);
        } finally {
            super.close();
        }
    }
}
