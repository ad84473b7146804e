package io.zarrengine.zarr.metrics;

import io.zarrengine.uring.ReadCounters;
import java.util.concurrent.atomic.LongAdder;

/** What the workers have done, summed up. Threads: any. */
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
     * What was done up to one moment.
     *
     * @param io reads, and the system calls that they took
     * @param chunksDecoded inner chunks, or chunks of an array without shards
     * @param bytesEncoded what they were decoded from
     * @param bytesDecoded what they decoded to
     * @param bytesDelivered what was written to targets, fill values included
     * @param planNanos what the workers spent planning, looking up and opening, in ns
     * @param readNanos what they spent submitting and waiting, in ns
     * @param decodeNanos what they spent decoding and placing, in ns
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

    /** Creates counters that stand at zero. */
    public Metrics() {}

    public void chunkDecoded(
            RecordedRead recorded, long encodedBytes, long decodedBytes, long deliveredBytes) {
        chunkBegun();
        partDecoded(recorded, encodedBytes, decodedBytes, deliveredBytes);
    }

    /** Chunks whose elements do not go to memory of the host. */
    public void chunksTaken(int chunks, long encodedBytes) {
        chunksDecoded.add(chunks);
        bytesEncoded.add(encodedBytes);
    }

    /** A part of a chunk that {@link #chunkBegun} has counted. */
    public void partDecoded(
            RecordedRead recorded, long encodedBytes, long decodedBytes, long deliveredBytes) {
        if (recorded != null) {
            recorded.decoded(decodedBytes);
        }
        bytesEncoded.add(encodedBytes);
        bytesDecoded.add(decodedBytes);
        bytesDelivered.add(deliveredBytes);
    }

    /** A chunk that is decoded part by part. */
    public void chunkBegun() {
        chunksDecoded.increment();
    }

    /** A calling thread has read something itself. */
    public void readNow(long bytes) {
        copiedNow(1, bytes);
        submissions.increment();
    }

    /** Parts of a mapped file were copied. */
    public void copiedNow(int parts, long bytes) {
        reads.add(parts);
        bytesRead.add(bytes);
    }

    public void delivered(long deliveredBytes) {
        bytesDelivered.add(deliveredBytes);
    }

    /** Adds a round of a worker: times between its steps, in ns. */
    public void workerWorked(long planning, long reading, long decoding) {
        planNanos.add(planning);
        readNanos.add(reading);
        decodeNanos.add(decoding);
    }

    /** Adds what a queue has done between two moments. */
    public void queueWorked(ReadCounters before, ReadCounters after) {
        reads.add(after.reads() - before.reads());
        bytesRead.add(after.bytes() - before.bytes());
        submissions.add(after.submissions() - before.submissions());
        retries.add(after.retries() - before.retries());
    }

    /** {@return the sums now} */
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
