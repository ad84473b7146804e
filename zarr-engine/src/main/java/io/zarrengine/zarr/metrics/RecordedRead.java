package io.zarrengine.zarr.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Collects the numbers of a request's JDK Flight Recorder event. Threads: any. */
public final class RecordedRead {
    private final ReadEvent event = new ReadEvent();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesDecoded = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();

    public void begin() {
        event.begin();
    }

    /** Adds a read of a file that has ended. */
    public void read(long bytes, long nanos) {
        bytesRead.add(bytes);
        readNanos.add(nanos);
    }

    /** Adds a decoded chunk or part of one. */
    void decoded(long bytes) {
        bytesDecoded.add(bytes);
    }

    /** Adds the time that a thread spent decoding and placing. */
    public void worked(long nanos) {
        decodeNanos.add(nanos);
    }

    /**
     * Ends the event and writes it to the recording.
     *
     * @param failure null if the request succeeded
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
