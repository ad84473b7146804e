package io.zarrengine.zarr;

import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.QueueDepths;

/**
 * What an engine has done since it was opened, and what is under way. The numbers are taken one
 * after the other while the workers go on.
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
 * @param decodeNanos time that they spent decoding and placing, in ns; also copying from mapped
 *     files
 * @param requests reads of arrays that have not ended, at this moment
 * @param readsInFlight reads of files that have not ended, at this moment
 * @param readsArrived reads of files that have ended and are not decoded yet, at this moment
 * @param budgetBytesReserved what large reads and chunks take of the budget at this moment, beyond
 *     what the workers have from the start; also what is kept ready for the next threads that read
 *     for themselves, of which nothing may be under way
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
        long decodeNanos,
        int requests,
        int readsInFlight,
        int readsArrived,
        long budgetBytesReserved) {
    /**
     * {@return the bytes read for each byte that chunks were decoded from: gaps between them,
     * indexes, and what lies around them where reads are aligned; 1 if nothing was decoded}
     */
    public double readAmplification() {
        return ratio(bytesRead, bytesEncoded);
    }

    /**
     * {@return the bytes decoded for each byte that was delivered: what of the chunks was not
     * wanted; 1 if nothing was delivered. Less than 1 where chunks that were kept, or fill values,
     * are delivered}
     */
    public double decodeAmplification() {
        return ratio(bytesDecoded, bytesDelivered);
    }

    private static double ratio(long bytes, long of) {
        return of == 0 ? 1 : (double) bytes / of;
    }

    static EngineMetrics of(Metrics.Snapshot done, QueueDepths queues) {
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
                done.decodeNanos(),
                queues.requests(),
                queues.readsInFlight(),
                queues.readsArrived(),
                queues.budgetBytes());
    }
}
