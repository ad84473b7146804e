package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the decoded bytes of the chunks that a device must still decode. Tells {@link
 * CostDecoderRule} whether workers should decode the next chunk. The count is approximate, because
 * workers add several chunks at once. Times are those of {@link System#nanoTime}.
 *
 * <p>Owner: a device's executor. Threads: any; {@link #begins} one.
 */
public final class ChunksAhead {
    /** One batch that is decoded and one that waits, so that a third can be filled. */
    private static final long BATCHES_MAX = 2;

    private final DecodeCosts costs;
    private final AtomicLong bytes = new AtomicLong();
    private volatile long busySince; // 0: the device has nothing to do

    public ChunksAhead(DecodeCosts costs) {
        this.costs = costs;
    }

    /** Adds chunks to decode, or removes them if the number is negative. */
    public void add(long decodedBytes) {
        bytes.addAndGet(decodedBytes);
    }

    /** {@return the approximate decoded size of all chunks to decode} */
    public long byteSize() {
        return bytes.get();
    }

    /**
     * Notes that the device begins a batch.
     *
     * @param nanos the time; 0 if the device has no batch
     */
    public void begins(long nanos) {
        busySince = nanos;
    }

    /**
     * {@return whether a worker should decode a chunk, of a format with which workers may help}
     * They should if the device has enough to do until the next batch is described, and would then
     * take longer than the workers need for the rest, so that both end at the same time. They also
     * should if the device has as much as batches hold: chunks that workers decode need slots too.
     *
     * @param rest the approximate number of chunks that no worker has begun; may be far too low
     * @param nanos the current time
     */
    boolean isHelpDue(NvcompFormat format, long chunkBytes, long rest, long nanos) {
        long batch = costs.batchChunks(chunkBytes);
        long chunks = bytes.get() / chunkBytes; // As if all were like this one.
        if (chunks >= BATCHES_MAX * batch) {
            return true;
        }
        long since = busySince;
        long busy = since == 0 ? 0 : nanos - since;
        double left = costs.deviceNanos(format, chunkBytes, chunks) - busy;
        return chunks >= batch / 2
                && left > costs.deviceNanos(format, chunkBytes, batch) / 2
                && left > costs.hostNanos(format, chunkBytes, rest);
    }
}
