package io.zarrengine.cli;

import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.time.Duration;
import java.util.Arrays;

/** The measurements of a {@link CropRun}. Immutable. */
final class CropMeasure {
    private final Duration wall;
    private final Duration cpu;
    private final long[] latencyNanos; // sorted
    private final EngineMetrics before;
    private final EngineMetrics after;

    /**
     * Stores the measurements.
     *
     * @param wall elapsed time
     * @param cpu CPU time of all threads of the process meanwhile
     * @param latencyNanos time of each read from its submission to its end; copied
     * @param before the engine's counters at the begin
     * @param after the engine's counters at the end
     */
    CropMeasure(
            Duration wall,
            Duration cpu,
            long[] latencyNanos,
            EngineMetrics before,
            EngineMetrics after) {
        this.wall = wall;
        this.cpu = cpu;
        this.latencyNanos = latencyNanos.clone();
        this.before = before;
        this.after = after;
        Arrays.sort(this.latencyNanos);
    }

    double wallSeconds() {
        return wall.toNanos() / 1e9;
    }

    double cpuSeconds() {
        return cpu.toNanos() / 1e9;
    }

    double cropsPerSecond() {
        return latencyNanos.length / wallSeconds();
    }

    double deliveredBytesPerSecond() {
        return (after.bytesDelivered() - before.bytesDelivered()) / wallSeconds();
    }

    /** Returns the encoded bytes per second of the decoded chunks. */
    double encodedBytesPerSecond() {
        return (after.bytesEncoded() - before.bytesEncoded()) / wallSeconds();
    }

    double chunksPerSecond() {
        return (after.chunksDecoded() - before.chunksDecoded()) / wallSeconds();
    }

    long reads() {
        return after.reads() - before.reads();
    }

    long submissions() {
        return after.submissions() - before.submissions();
    }

    /** {@return requests to stores behind URLs} */
    RequestMetrics requests() {
        return after.stores().since(before.stores());
    }

    /**
     * Returns the bytes read for each encoded byte of the decoded chunks. Indexes, and gaps that
     * were read through, make it more than 1. 0 if no chunk was decoded.
     *
     * @param byOthers bytes that were read, but not by the engine
     */
    double readAmplification(long byOthers) {
        return ratio(
                after.bytesRead() - before.bytesRead() + requests().bytes() + byOthers,
                after.bytesEncoded() - before.bytesEncoded());
    }

    /** Returns the bytes decoded for each byte delivered; 0 if none was delivered. */
    double decodeAmplification() {
        return ratio(
                after.bytesDecoded() - before.bytesDecoded(),
                after.bytesDelivered() - before.bytesDelivered());
    }

    private static double ratio(long bytes, long needed) {
        return needed == 0 ? 0 : (double) bytes / needed;
    }

    /**
     * {@return the latency that this share of the reads did not exceed, in milliseconds}
     *
     * @param share more than 0, at most 1
     */
    double latencyMilliseconds(double share) {
        int rank = (int) Math.ceil(share * latencyNanos.length);
        return latencyNanos[Math.clamp(rank, 1, latencyNanos.length) - 1] / 1e6;
    }
}
