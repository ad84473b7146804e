package io.zarrengine.gpu.tuning;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Approximate counts of the chunks of a device's reads in flight, by progress. Owner: the device's
 * executor. Threads: any.
 */
public final class Workload {
    private final AtomicLong chunks = new AtomicLong(); // of reads that have not ended
    private final AtomicLong bytes = new AtomicLong(); // decoded bytes of those
    private final AtomicLong unbatched = new AtomicLong(); // of those, in no batch yet
    private final AtomicLong unbegun = new AtomicLong(); // of those, not begun by a worker
    private final AtomicInteger producers = new AtomicInteger(); // reads that bring more chunks
    private final Runnable wake;

    /** {@code wake} wakes the device thread when there may be work. */
    public Workload(Runnable wake) {
        this.wake = wake;
    }

    /** Counts the chunks of a new read. */
    public void begin(long readChunks, long chunkBytes) {
        chunks.addAndGet(readChunks);
        bytes.addAndGet(readChunks * chunkBytes);
        unbatched.addAndGet(readChunks);
        unbegun.addAndGet(readChunks);
    }

    /**
     * Uncounts a read that has ended. None of its chunks is counted as unbatched or unbegun any
     * more.
     */
    public void end(long readChunks, long chunkBytes) {
        chunks.addAndGet(-readChunks);
        bytes.addAndGet(-readChunks * chunkBytes);
    }

    /** Notes that chunks have joined a batch, or will never do so. */
    public void batched(long some) {
        unbatched.addAndGet(-some);
    }

    /** Notes that workers have begun chunks, or will never do so. */
    public void begun(long some) {
        unbegun.addAndGet(-some);
    }

    /** {@return the number of chunks that are in no batch yet} */
    public long unbatched() {
        return unbatched.get();
    }

    /** {@return the number of chunks that no worker has begun} */
    public long unbegun() {
        return unbegun.get();
    }

    /** {@return the decoded size of all chunks} */
    public long byteSize() {
        return bytes.get();
    }

    /** {@return the number of chunks plus {@code more}; a large chunk counts several times} */
    long chunksWith(long more) {
        return Math.max(chunks.get() + more, bytes.get() / DeviceOptions.LOAD_CHUNK_BYTES);
    }

    /** Notes that workers begin to hand over chunks of a read. */
    public void producerBegins() {
        producers.incrementAndGet();
        wake.run();
    }

    /** Notes that workers have handed over all chunks of a read. */
    public void producerEnds() {
        producers.decrementAndGet();
        wake.run();
    }

    /** {@return whether workers still hand over chunks} */
    public boolean hasProducers() {
        return producers.get() > 0;
    }
}
