package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.RequestCost;

/**
 * Measures what requests cost, so that ranges are read together where that pays. What counts is the
 * fastest of the last first bytes: others also waited for this process, or for each other.
 *
 * <p>Threads: any.
 */
final class CostMeter {
    private static final int MEASUREMENTS_MIN = 16;

    /** Of what is known, the share of the last measurement. */
    private static final double SHARE = 1.0 / 16;

    /** Shorter bodies tell nothing about the bandwidth. */
    private static final long BODY_BYTES_MIN = 64 << 10;

    /**
     * Lets the fastest first byte grow, if no other is as fast: twice as long after 70 requests.
     */
    private static final double FORGETTING = 1.01;

    private static final long GAP_BYTES_MIN = 4 << 10;
    private static final long GAP_BYTES_MAX = 1 << 20;

    private double fastestNanos = Double.POSITIVE_INFINITY; // guarded by this, as the next two
    private double bytesPerNano = 0.05; // 50 MB/s, until a body tells
    private int measurements;
    private volatile RequestCost cost = RequestCost.NETWORK;

    /** Notes one response: the time until its headers came, then that until its last byte. */
    synchronized void measured(long headerNanos, long bodyNanos, long bodyBytes) {
        measurements = Math.min(measurements + 1, MEASUREMENTS_MIN);
        fastestNanos = Math.min(fastestNanos * FORGETTING, (double) headerNanos);
        if (bodyBytes >= BODY_BYTES_MIN) {
            double speed = bodyBytes / (double) Math.max(bodyNanos, 1);
            bytesPerNano += SHARE * (speed - bytesPerNano);
        }
        if (measurements == MEASUREMENTS_MIN) {
            long gap = (long) (fastestNanos * bytesPerNano);
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
