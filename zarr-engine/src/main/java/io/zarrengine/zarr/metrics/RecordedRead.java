package io.zarrengine.zarr.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Collects the data of a request for JDK Flight Recorder. Threads: any. */
public final class RecordedRead {
    private final ReadEvent event = new ReadEvent();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesDecoded = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();

    public void begin() {
        event.begin();
    }

    /** Counts a read of the request that ended after {@code nanos} ns. */
    public void read(long bytes, long nanos) {
        bytesRead.add(bytes);
        readNanos.add(nanos);
    }

    /** Counts a decoded chunk of the request, or a part of one. */
    void decoded(long bytes) {
        bytesDecoded.add(bytes);
    }

    /** Adds a thread's time for decoding and placing, in ns. */
    public void worked(long nanos) {
        decodeNanos.add(nanos);
    }

    /**
     * Records the end of the request.
     *
     * @param failure the failure, or null if it succeeded
     */
    public void end(String array, long chunks, long targetBytes, Throwable failure) {
        event.end();
        if (!event.shouldCommit()) {
            return;
        }
        event.array = array;
        event.chunks = chunks;
        event.targetBytes = targetBytes;
        event.bytesRead = bytesRead.sum();
        event.bytesDecoded = bytesDecoded.sum();
        event.amplification = targetBytes == 0 ? 0 : (float) event.bytesDecoded / targetBytes;
        event.readTime = readNanos.sum();
        event.decodeTime = decodeNanos.sum();
        event.failure = failure == null ? null : failure.toString();
        event.commit();
    }
}
