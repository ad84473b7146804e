package io.zarrengine.bench.compare;

import io.zarrengine.zarr.EngineMetrics;
import io.zarrengine.zarr.objectstore.RequestMetrics;

/**
 * The engine's work to read all crops of a scenario once.
 *
 * @param reads reads of files, and requests to a server
 * @param bytesRead bytes of these, with indexes and gaps
 * @param bytesEncoded encoded bytes of the decoded chunks
 * @param bytesDelivered bytes written to targets
 * @param chunks decoded chunks
 */
record EngineCounters(
        long reads, long bytesRead, long bytesEncoded, long bytesDelivered, long chunks) {
    static EngineCounters between(EngineMetrics before, EngineMetrics after) {
        RequestMetrics sent = after.stores().since(before.stores());
        return new EngineCounters(
                after.reads() - before.reads() + sent.requests(),
                after.bytesRead() - before.bytesRead() + sent.bytes(),
                after.bytesEncoded() - before.bytesEncoded(),
                after.bytesDelivered() - before.bytesDelivered(),
                after.chunksDecoded() - before.chunksDecoded());
    }

    /** {@return bytes read for each byte needed} */
    double readAmplification() {
        return (double) bytesRead / bytesEncoded;
    }

    /** {@return encoded bytes for each byte delivered} */
    double encodedShare() {
        return (double) bytesEncoded / bytesDelivered;
    }

    /**
     * {@return chunks per second}
     *
     * @param gigabytesPerSecond delivered
     */
    double chunksPerSecond(double gigabytesPerSecond) {
        return chunks * gigabytesPerSecond * 1e9 / bytesDelivered;
    }
}
