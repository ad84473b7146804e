package io.zarrengine.gpu.tuning;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * About how many chunks of a device's reads are under way, and how far they are. Owner: the
 * device's executor. Threads: any.
 */
public final class Workload {
    private final AtomicLong chunks = new AtomicLong(); // of reads that have not ended
    private final AtomicLong bytes = new AtomicLong(); // of those, decoded
    private final AtomicLong unbatched = new AtomicLong(); // of those: no batch has them
    private final AtomicLong unbegun = new AtomicLong(); // of those: no worker has begun them
    private final AtomicInteger producers = new AtomicInteger(); // reads that bring more chunks
    private final Runnable wake;

    /** {@code wake}: wakes the device's thread up, if there may be something to do. */
    public Workload(Runnable wake) {
        this.wake = wake;
    }

    /** A read of so many chunks begins. */
    public void begin(long readChunks, long chunkBytes) {
        chunks.addAndGet(readChunks);
        bytes.addAndGet(readChunks * chunkBytes);
        unbatched.addAndGet(readChunks);
        unbegun.addAndGet(readChunks);
    }

    /** A read has ended, of which no chunk is unbatched or not begun. */
    public void end(long readChunks, long chunkBytes) {
        chunks.addAndGet(-readChunks);
        bytes.addAndGet(-readChunks * chunkBytes);
    }

    /** Chunks have joined a batch, or will never do so. */
    public void batched(long some) {
        unbatched.addAndGet(-some);
    }

    /** Workers have begun with chunks, or will never do so. */
    public void begun(long some) {
        unbegun.addAndGet(-some);
    }

    /** {@return how many chunks no batch has yet} */
    public long unbatched() {
        return unbatched.get();
    }

    /** {@return how many chunks no worker has begun} */
    public long unbegun() {
        return unbegun.get();
    }

    /** {@return the decoded size of all chunks} */
    public long byteSize() {
        return bytes.get();
    }

    /** {@return the number of chunks with some more; a large one counts as several} */
    long chunksWith(long more) {
        return Math.max(chunks.get() + more, bytes.get() / DeviceOptions.LOAD_CHUNK_BYTES);
    }

    /** Workers begin to hand over chunks of a read. */
    public void producerBegins() {
        producers.incrementAndGet();
        wake.run();
    }

    /** Workers have handed over all chunks of a read. */
    public void producerEnds() {
        producers.decrementAndGet();
        wake.run();
    }

    /** {@return whether workers still hand over chunks} */
    public boolean hasProducers() {
        return producers.get() > 0;
    }
}
