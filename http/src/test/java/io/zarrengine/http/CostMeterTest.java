package io.zarrengine.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.objectstore.RequestCost;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Catches gaps that follow from how busy this process is. */
final class CostMeterTest {
    private static final long MILLIS = 1_000_000;
    private static final long BYTES = 1 << 20;

    private final AtomicLong clock = new AtomicLong();
    private final CostMeter meter = new CostMeter(clock::get);

    private void measure(int times, long headerMillis) {
        for (int i = 0; i < times; i++) {
            meter.measured(headerMillis * MILLIS, 20 * MILLIS, BYTES, 1); // 50 MB/s
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
        assertEquals(64 << 10, meter.requestCost().gapBytes());
    }

    /** Fault: bodies that are there when they are asked for make the network look fast. */
    @Test
    void countsTheTimeBeforeTheBody() {
        for (int i = 0; i < 100; i++) {
            meter.measured((i % 10 == 0 ? 10 : 60) * MILLIS, 0, BYTES, 1);
        }
        long gap = meter.requestCost().gapBytes();
        assertTrue(gap < 1 << 19, gap + " bytes");
    }

    /** Fault: a megabyte is read to save a request that could be sent beside the others. */
    @Test
    void aRequestCostsLittleWhileFewAreUnderWay() {
        for (int i = 0; i < 100; i++) {
            meter.measured(30 * MILLIS, 20 * MILLIS, BYTES, 1.0 / 8);
        }
        long gap = meter.requestCost().gapBytes();
        assertTrue(gap > 150_000 && gap < 250_000, gap + " bytes");
    }

    /** Fault: a server that has become slower is still taken for a near one. */
    @Test
    void forgetsWhatWasFast() {
        measure(16, 1);
        clock.addAndGet(100_000 * MILLIS);
        measure(100, 100);
        assertEquals(1 << 20, meter.requestCost().gapBytes());
    }
}
