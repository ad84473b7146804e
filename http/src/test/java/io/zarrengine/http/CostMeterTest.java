package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.RequestCost;
import org.junit.jupiter.api.Test;

/** Catches gaps that follow from how busy this process is. */
final class CostMeterTest {
    private static final long MILLIS = 1_000_000;
    private static final long BYTES = 1 << 20;

    private final CostMeter meter = new CostMeter();

    private void measure(int times, long headerMillis) {
        for (int i = 0; i < times; i++) {
            meter.measured(headerMillis * MILLIS, 20 * MILLIS, BYTES); // 50 MB/s
        }
    }

    @Test
    void knowsNothingBeforeSomeRequests() {
        measure(15, 1);
        assertEquals(RequestCost.NETWORK, meter.requestCost());
    }

    /** Fault: requests that wait for each other make gaps of a megabyte on a near server. */
    @Test
    void takesTheFastestOfManyThatWait() {
        measure(16, 1);
        measure(15, 100);
        long gap = meter.requestCost().gapBytes();
        assertTrue(gap < 100_000, gap + " bytes");
    }

    /** Fault: a server that has become slower is still taken for a near one. */
    @Test
    void forgetsWhatWasFast() {
        measure(16, 1);
        measure(500, 100);
        assertEquals(1 << 20, meter.requestCost().gapBytes());
    }
}
