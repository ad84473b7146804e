package io.zarrengine.zarr;

import io.zarrengine.zarr.diskcache.DiskCacheCounters;
import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.QueueDepths;
import io.zarrengine.zarr.objectstore.RequestMetrics;

/**
 * Counters of the work that an engine has done since it was opened, and of its current load. The
 * numbers are read one after another while the workers go on.
 *
 * @param reads reads of files, and parts of mapped files that were copied
 * @param bytesRead bytes that these reads brought
 * @param submissions system calls that submitted or waited; without io_uring, one for each read;
 *     none for copies from mapped files
 * @param retries reads submitted again because they were short or interrupted
 * @param chunksDecoded inner chunks, or chunks of arrays without shards; also those that went to a
 *     GPU
 * @param bytesEncoded encoded bytes of these chunks, without indexes and gaps; for a chunk in a
 *     shard that is compressed as a whole, its size inside the shard
 * @param bytesDecoded decoded bytes of the chunks that did not go to a GPU; of a partially decoded
 *     chunk, the decoded part
 * @param bytesDelivered bytes written to targets in host memory, fill values included
 * @param planNanos time that workers spent planning, looking up and opening files, in ns, summed
 *     over the workers
 * @param readNanos time that workers spent submitting and waiting, also for work, in ns
 * @param decodeNanos time that workers spent decoding and placing, in ns; also copying from mapped
 *     files
 * @param requests reads of arrays that have not ended, at this moment
 * @param readsInFlight reads of files that have not ended, at this moment
 * @param readsArrived reads of files that have ended and are not decoded yet, at this moment
 * @param budgetBytesReserved bytes of the budget that large reads and chunks take at this moment,
 *     beyond the workers' initial share; includes bytes kept ready for callers that read on their
 *     own thread, even while no read is under way
 * @param diskCache work of the cache on disk, whose reads are also counted as reads of files
 * @param stores requests to the stores that the engine has opened for URLs; the owner of another
 *     store asks {@link io.zarrengine.zarr.objectstore.ObjectStore#metrics it}
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
        long budgetBytesReserved,
        DiskCacheMetrics diskCache,
        RequestMetrics stores) {
    /**
     * {@return the bytes read from files and from {@link #stores} per encoded byte of the decoded
     * chunks; 1 if nothing was decoded} The excess is gaps between chunks, indexes, and the padding
     * of aligned reads.
     */
    public double readAmplification() {
        return ratio(bytesRead + stores.bytes(), bytesEncoded);
    }

    /**
     * {@return the bytes decoded per delivered byte; 1 if nothing was delivered} The excess is
     * elements of chunks outside the selection. The ratio is less than 1 if cached chunks or fill
     * values are delivered.
     */
    public double decodeAmplification() {
        return ratio(bytesDecoded, bytesDelivered);
    }

    private static double ratio(long bytes, long of) {
        return of == 0 ? 1 : (double) bytes / of;
    }

    static EngineMetrics of(
            Metrics.Snapshot done,
            QueueDepths queues,
            DiskCacheCounters onDisk,
            RequestMetrics stores) {
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
                queues.budgetBytes(),
                DiskCacheMetrics.of(onDisk),
                stores);
    }
}
