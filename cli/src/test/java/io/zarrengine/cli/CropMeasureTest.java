package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.DiskCacheMetrics;
import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests rates, ratios and percentiles of given counters. */
final class CropMeasureTest {
    private static final EngineMetrics NONE =
            new EngineMetrics(
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    DiskCacheMetrics.NONE,
                    RequestMetrics.NONE);

    private static CropMeasure measure(long[] latencyNanos, EngineMetrics before) {
        EngineMetrics after =
                new EngineMetrics(
                        101,
                        600,
                        53,
                        0,
                        207,
                        600,
                        4000,
                        2100,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        DiskCacheMetrics.NONE,
                        new RequestMetrics(1, 0, 0, 500, 1, 1, 1, 0, 0));
        return new CropMeasure(
                Duration.ofMillis(2000), Duration.ofMillis(3500), latencyNanos, before, after);
    }

    @Test
    void ratesAreDifferencesInTime() {
        EngineMetrics before =
                new EngineMetrics(
                        1,
                        100,
                        3,
                        0,
                        7,
                        100,
                        1000,
                        100,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        DiskCacheMetrics.NONE,
                        RequestMetrics.NONE);
        CropMeasure measure = measure(new long[] {5, 5, 5}, before);
        assertEquals(2.0, measure.wallSeconds());
        assertEquals(3.5, measure.cpuSeconds());
        assertEquals(1.5, measure.cropsPerSecond());
        assertEquals(100, measure.reads());
        assertEquals(50, measure.submissions());
        assertEquals(100.0, measure.chunksPerSecond());
        assertEquals(250.0, measure.encodedBytesPerSecond());
        assertEquals(1000.0, measure.deliveredBytesPerSecond());
        assertEquals(2.0, measure.readAmplification(0));
        assertEquals(1.5, measure.decodeAmplification());
    }

    @Test
    void nothingDecodedAndNothingDeliveredIsNoAmplification() {
        CropMeasure measure =
                new CropMeasure(Duration.ofMillis(1), Duration.ZERO, new long[1], NONE, NONE);
        assertEquals(0.0, measure.readAmplification(0));
        assertEquals(0.0, measure.decodeAmplification());
    }

    /** 100 reads took 1 to 100 ms, the last one first. */
    @ParameterizedTest
    @CsvSource({"0.001, 1", "0.01, 1", "0.011, 2", "0.5, 50", "0.99, 99", "0.991, 100", "1, 100"})
    void aPercentileIsTheLatencyThatSoManyDidNotExceed(double share, double milliseconds) {
        long[] latencies = LongStream.range(0, 100).map(i -> (100 - i) * 1_000_000).toArray();
        assertEquals(milliseconds, measure(latencies, NONE).latencyMilliseconds(share));
    }

    @Test
    void oneReadIsEveryPercentile() {
        CropMeasure measure = measure(new long[] {7_000_000}, NONE);
        assertEquals(7.0, measure.latencyMilliseconds(0.5));
        assertEquals(7.0, measure.latencyMilliseconds(0.99));
    }
}
