package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.RequestCost;
import java.util.function.LongSupplier;

/**
 * Measures the cost of requests, so that ranges are read together where that pays. The latency is
 * the shortest recent time to a first byte: longer ones include waits for this process, or for
 * other requests. All time beyond the latency counts as the cost of the bytes, because requests
 * under way share the network and the cores. A request takes one of those allowed for its latency:
 * that costs little while few are under way, because another is then sent beside them.
 *
 * <p>Threads: any.
 */
final class CostMeter {
    private static final int MEASUREMENTS_MIN = 16;

    /** Weight of the last measurement in the mean. */
    private static final double SHARE = 1.0 / 16;

    /** Shorter bodies tell nothing about the bandwidth. */
    private static final long BODY_BYTES_MIN = 64 << 10;

    /** Time in which the shortest latency doubles, if no request is as fast. */
    private static final double FORGET_NANOS = 10e9;

    /** Bytes that cost both sides as much CPU time as a request, on the loopback interface. */
    private static final long GAP_BYTES_MIN = 64 << 10;

    private static final long GAP_BYTES_MAX = 1 << 20;

    private final LongSupplier clock;
    private double fastestNanos = Double.POSITIVE_INFINITY; // guarded by this, as the next five
    private double bytes = 50e3; // mean of the longer bodies, and their time beyond the latency:
    private double byteNanos = 1e6; // 50 MB/s, until a body tells
    private double load; // mean of the shares of the requests allowed that were under way
    private long lastNanos; // of the clock
    private int measurements;
    private volatile RequestCost cost = RequestCost.NETWORK;

    /** {@code clock}: System.nanoTime, or that of a test. */
    CostMeter(LongSupplier clock) {
        this.clock = clock;
        this.lastNanos = clock.getAsLong();
    }

    /**
     * Notes one response: the time until its headers came, then that until its last byte.
     *
     * @param newLoad the share of the requests allowed that are under way, 0 to 1
     */
    synchronized void measured(long headerNanos, long bodyNanos, long bodyBytes, double newLoad) {
        load += measurements == 0 ? newLoad : SHARE * (newLoad - load);
        measurements = Math.min(measurements + 1, MEASUREMENTS_MIN);
        long now = clock.getAsLong();
        double growth = Math.pow(2, (now - lastNanos) / FORGET_NANOS);
        lastNanos = now;
        fastestNanos = Math.min(fastestNanos * growth, (double) headerNanos);
        if (bodyBytes >= BODY_BYTES_MIN) {
            bytes += SHARE * (bodyBytes - bytes);
            byteNanos += SHARE * (headerNanos + bodyNanos - fastestNanos - byteNanos);
        }
        if (measurements == MEASUREMENTS_MIN) {
            long gap = (long) (load * fastestNanos * bytes / Math.max(byteNanos, 1));
            cost =
                    new RequestCost(
                            Math.clamp(gap, GAP_BYTES_MIN, GAP_BYTES_MAX),
                            RequestCost.NETWORK.fusedBytesMax());
        }
    }

    RequestCost requestCost() {
        return cost;
    }
}
