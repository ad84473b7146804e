package io.zarrengine.gpu.tuning;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much a device is still to decode, described by workers or in batches, in decoded bytes; and
 * so whether workers had better decode the next chunk. About, for workers tell of several chunks at
 * once. Times are {@link System#nanoTime}'s.
 *
 * <p>Owner: a device's executor. Threads: any; {@link #begins} one.
 */
public final class ChunksAhead {
    /** One that is decoded and one behind it, so that there is one to fill. */
    private static final long BATCHES_MAX = 2;

    private final DecodeCosts costs;
    private final AtomicLong bytes = new AtomicLong();
    private volatile long busySince; // 0: the device has nothing to do

    public ChunksAhead(DecodeCosts costs) {
        this.costs = costs;
    }

    /** There is more to decode; less, if it is negative. */
    public void add(long decodedBytes) {
        bytes.addAndGet(decodedBytes);
    }

    /** {@return the decoded size of all of it, about} */
    public long byteSize() {
        return bytes.get();
    }

    /**
     * A batch is the device's next one.
     *
     * @param nanos when that was; 0 if there is none
     */
    public void begins(long nanos) {
        busySince = nanos;
    }

    /**
     * {@return whether a worker had better decode a chunk of a format of which help is welcome} The
     * device has enough to do while the next batch is described. And it would be at that longer
     * than the workers at the rest, so that both end at the same time; or it has been given as much
     * as batches hold, for what workers decode needs slots to come to the device, too.
     *
     * @param rest how many chunks no worker has begun, about; it may be far too few
     * @param nanos what time it is
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
