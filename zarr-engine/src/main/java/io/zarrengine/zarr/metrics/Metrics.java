package io.zarrengine.zarr.metrics;

import io.zarrengine.uring.ReadCounters;
import java.util.concurrent.atomic.LongAdder;

/** Sums of the work that the workers have done. Threads: any. */
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
     * @param io reads, and the system calls that they took
     * @param chunksDecoded inner chunks, or chunks of an array without shards
     * @param bytesEncoded encoded size of the decoded chunks
     * @param bytesDecoded decoded size of those chunks
     * @param bytesDelivered bytes written to targets, fill values included
     * @param planNanos time that workers spent planning, looking up and opening, in ns
     * @param readNanos time that workers spent submitting and waiting, in ns
     * @param decodeNanos time that workers spent decoding and placing, in ns
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

    /** Counts chunks whose elements do not go to memory of the host. */
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

    /** Counts a read that a calling thread did itself. */
    public void readNow(long bytes) {
        copiedNow(1, bytes);
        submissions.increment();
    }

    /** Counts copied parts of a mapped file. */
    public void copiedNow(int parts, long bytes) {
        reads.add(parts);
        bytesRead.add(bytes);
    }

    public void delivered(long deliveredBytes) {
        bytesDelivered.add(deliveredBytes);
    }

    /** Adds the times of a worker's round, in ns. */
    public void workerWorked(long planning, long reading, long decoding) {
        planNanos.add(planning);
        readNanos.add(reading);
        decodeNanos.add(decoding);
    }

    /** Adds the work of a queue between two moments. */
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
