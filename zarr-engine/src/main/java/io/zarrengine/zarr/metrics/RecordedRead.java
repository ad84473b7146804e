package io.zarrengine.zarr.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What a recording of JDK Flight Recorder says of a request. Threads: any. */
public final class RecordedRead {
    private final ReadEvent event = new ReadEvent();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesDecoded = new LongAdder();
    private final LongAdder readNanos = new LongAdder();
    private final LongAdder decodeNanos = new LongAdder();

    public void begin() {
        event.begin();
    }

    /** A read of it has ended, after so long. */
    public void read(long bytes, long nanos) {
        bytesRead.add(bytes);
        readNanos.add(nanos);
    }

    /** A chunk of it, or a part of one, was decoded. */
    void decoded(long bytes) {
        bytesDecoded.add(bytes);
    }

    /** A thread has decoded and placed for it. */
    public void worked(long nanos) {
        decodeNanos.add(nanos);
    }

    /**
     * The request has ended.
     *
     * @param failure null if it ended well
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
