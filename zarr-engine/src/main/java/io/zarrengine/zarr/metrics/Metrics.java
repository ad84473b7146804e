package io.zarrengine.zarr.metrics;

import io.zarrengine.uring.ReadCounters;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the workers' activity. Threads: any. */
public final class Metrics {
    private final LongAdder reads = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder submissions = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder chunksDecoded = new LongAdder();
    private final LongAdder bytesEncoded = new LongAdder();
    private final LongAdder bytesDecoded = new LongAdder();
    private final LongAdder bytesDelivered = new LongAdder();
    private final LongAdder planNanos = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();

    /**
     * The sums at one moment.
     *
     * @param io reads and their system calls
     * @param chunksDecoded number of decoded inner chunks, or of chunks of an array without shards
     * @param bytesEncoded encoded size of these chunks in bytes
     * @param bytesDecoded decoded size of these chunks in bytes
     * @param bytesDelivered bytes written to targets, including fill values
     * @param planNanos time of the workers for planning, looking up and opening, in ns
     * @param readNanos time of the workers for submitting and waiting, in ns
     * @param decodeNanos time of the workers for decoding and placing, in ns
     */
    public record Snapshot(
            ReadCounters io,
            long chunksDecoded,
            long bytesEncoded,
            long bytesDecoded,
            long bytesDelivered,
            long planNanos,
            long readNanos,
            long decodeNanos) {}

    /** Creates counters at zero. */
    public Metrics() {}

    public void chunkDecoded(
            RecordedRead recorded, long encodedBytes, long decodedBytes, long deliveredBytes) {
        chunkBegun();
        partDecoded(recorded, encodedBytes, decodedBytes, deliveredBytes);
    }

    /** Counts chunks whose elements do not go to host memory. */
    public void chunksTaken(int chunks, long encodedBytes) {
        chunksDecoded.add(chunks);
        bytesEncoded.add(encodedBytes);
    }

    /** Counts a part of a chunk that {@link #chunkBegun} has counted. */
    public void partDecoded(
            RecordedRead recorded, long encodedBytes, long decodedBytes, long deliveredBytes) {
        if (recorded != null) {
            recorded.decoded(decodedBytes);
        }
        bytesEncoded.add(encodedBytes);
        bytesDecoded.add(decodedBytes);
        bytesDelivered.add(deliveredBytes);
    }

    /** Counts a chunk that is decoded part by part. */
    public void chunkBegun() {
        chunksDecoded.increment();
    }

    /** Counts a read that the calling thread made itself. */
    public void readNow(long bytes) {
        copiedNow(1, bytes);
        submissions.increment();
    }

    /** Counts parts that were copied from a mapped file. */
    public void copiedNow(int parts, long bytes) {
        reads.add(parts);
        bytesRead.add(bytes);
    }

    public void delivered(long deliveredBytes) {
        bytesDelivered.add(deliveredBytes);
    }

    /** Adds the durations of a worker's round, in ns. */
    public void workerWorked(long planning, long reading, long decoding) {
        planNanos.add(planning);
        readNanos.add(reading);
        decodeNanos.add(decoding);
    }

    /** Adds the difference of a queue's counters between two moments. */
    public void queueWorked(ReadCounters before, ReadCounters after) {
        reads.add(after.reads() - before.reads());
        bytesRead.add(after.bytes() - before.bytes());
        submissions.add(after.submissions() - before.submissions());
        retries.add(after.retries() - before.retries());
    }

    /** {@return the current sums} */
    public Snapshot snapshot() {
        return new Snapshot(
                new ReadCounters(reads.sum(), bytesRead.sum(), submissions.sum(), retries.sum()),
                chunksDecoded.sum(),
                bytesEncoded.sum(),
                bytesDecoded.sum(),
                bytesDelivered.sum(),
                planNanos.sum(),
                readNanos.sum(),
                decodeNanos.sum());
    }
}
