package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import org.junit.jupiter.api.Test;

/** Values that are derived from an engine's counters. */
final class EngineMetricsTest {
    private static EngineMetrics metrics(
            long read, long encoded, long decoded, long delivered, long ofStores) {
        return new EngineMetrics(
                1,
                read,
                1,
                0,
                1,
                encoded,
                decoded,
                delivered,
                1,
                1,
                1,
                0,
                0,
                0,
                0,
                DiskCacheMetrics.NONE,
                new RequestMetrics(1, 0, 0, ofStores, 1, 1, 1, 0, 0));
    }

    @Test
    void amplificationIsBytesReadByBytesWanted() {
        EngineMetrics metrics = metrics(100, 200, 500, 100, 200);

        assertEquals(1.5, metrics.readAmplification());
        assertEquals(5.0, metrics.decodeAmplification());
    }

    @Test
    void amplificationWithoutReadsIsOne() {
        EngineMetrics metrics = metrics(0, 0, 0, 0, 0);

        assertEquals(1.0, metrics.readAmplification());
        assertEquals(1.0, metrics.decodeAmplification());
    }
}
