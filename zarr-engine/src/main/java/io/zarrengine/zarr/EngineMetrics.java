package io.zarrengine.zarr;

import io.zarrengine.zarr.execute.Metrics;

/**
 * What an engine has done since it was opened.
 *
 * @param reads reads of files, and parts of mapped ones that were copied
 * @param bytesRead bytes they brought
 * @param submissions system calls that submitted or waited; without io_uring, one for each read; of
 *     what was copied from mapped files, none
 * @param retries reads submitted again, because they were short or interrupted
 * @param chunksDecoded inner chunks, or chunks of arrays without shards; also those that went to a
 *     GPU
 * @param bytesEncoded what they were decoded from, without indexes and gaps; of a chunk in a shard
 *     that is compressed as a whole, its size in there
 * @param bytesDecoded what those decoded to that did not go to a GPU; of a chunk of which a part
 *     was decoded, that part
 * @param bytesDelivered what was written to targets in memory of the host, fill values included
 * @param planNanos time that workers spent planning, looking up and opening, in ns, summed over
 *     them
 * @param readNanos time that they spent submitting and waiting, also for work, in ns
 * @param decodeNanos time that they spent decoding and placing, in ns
 */
public record EngineMetrics(
        long reads,
        long bytesRead,
        long submissions,
        long retries,
        long chunksDecoded,
        long bytesEncoded,
        long bytesDecoded,
        long bytesDelivered,
        long planNanos,
        long readNanos,
        long decodeNanos) {
    static EngineMetrics of(Metrics.Snapshot done) {
        return new EngineMetrics(
                done.io().reads(),
                done.io().bytes(),
                done.io().submissions(),
                done.io().retries(),
                done.chunksDecoded(),
                done.bytesEncoded(),
                done.bytesDecoded(),
                done.bytesDelivered(),
                done.planNanos(),
                done.readNanos(),
                done.decodeNanos());
    }
}
