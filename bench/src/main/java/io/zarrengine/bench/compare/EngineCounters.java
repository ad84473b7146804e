package io.zarrengine.bench.compare;

import io.zarrengine.zarr.EngineMetrics;

/**
 * What the engine does to read all crops of a scenario once.
 *
 * @param reads of files
 * @param bytesRead with indexes and gaps
 * @param bytesEncoded of the chunks that are decoded
 * @param bytesDelivered to targets
 * @param chunks that are decoded
 */
record EngineCounters(
        long reads, long bytesRead, long bytesEncoded, long bytesDelivered, long chunks) {
    static EngineCounters between(EngineMetrics before, EngineMetrics after) {
        return new EngineCounters(
                after.reads() - before.reads(),
                after.bytesRead() - before.bytesRead(),
                after.bytesEncoded() - before.bytesEncoded(),
                after.bytesDelivered() - before.bytesDelivered(),
                after.chunksDecoded() - before.chunksDecoded());
    }

    /** {@return bytes read for each byte that is needed} */
    double readAmplification() {
        return (double) bytesRead / bytesEncoded;
    }

    /** {@return encoded bytes for each byte that is delivered} */
    double encodedShare() {
        return (double) bytesEncoded / bytesDelivered;
    }

    /**
     * {@return chunks in a second}
     *
     * @param gigabytesPerSecond delivered
     */
    double chunksPerSecond(double gigabytesPerSecond) {
        return chunks * gigabytesPerSecond * 1e9 / bytesDelivered;
    }
}
