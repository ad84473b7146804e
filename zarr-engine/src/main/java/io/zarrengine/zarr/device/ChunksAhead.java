package io.zarrengine.zarr.device;

import io.zarrengine.nvcomp.NvcompFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many chunks a device is still to decode: what workers have described for it, and what lies in
 * batches; and so whether workers had better decode the next one. About, for workers tell of
 * several at once. Times are {@link System#nanoTime}'s.
 *
 * <p>Owner: a device's executor. Threads: any; but one alone tells of batches.
 */
final class ChunksAhead {
    /** One that is decoded and one behind it, so that there is one to fill. */
    private static final long BATCHES_MAX = 2;

    private final DecodeCosts costs;
    private final AtomicLong described = new AtomicLong(); // no batch has them
    private final AtomicLong inBatches = new AtomicLong();
    private volatile long busySince; // 0: the device has nothing to do

    ChunksAhead(DecodeCosts costs) {
        this.costs = costs;
    }

    /** Workers have described chunks; or, if there are fewer than none, they are dropped. */
    void described(long chunks) {
        described.addAndGet(chunks);
    }

    /**
     * Chunks have joined a batch.
     *
     * @param told of which {@link #described} was told before
     * @param chunks all of them
     */
    void joined(long told, long chunks) {
        described.addAndGet(-told);
        inBatches.addAndGet(chunks);
    }

    /** Chunks of a batch are done. */
    void ended(long chunks) {
        inBatches.addAndGet(-chunks);
    }

    /**
     * A batch is the device's next one.
     *
     * @param nanos when that was; 0 if there is none
     */
    void begins(long nanos) {
        busySince = nanos;
    }

    /**
     * {@return whether a worker had better decode a chunk} So it is where both had better decode,
     * and the device would be at what is ahead of it longer than the workers at the rest: both end
     * at the same time. And where the device has been given as much as batches hold, for what
     * workers decode takes slots to the device as well.
     *
     * @param toCome chunks that no batch has yet, with what is described
     * @param nanos what time it is
     */
    boolean isHelpDue(NvcompFormat format, long chunkBytes, long toCome, long nanos) {
        if (!costs.isHelpWelcome(format, chunkBytes)) {
            return false;
        }
        long unbatched = described.get();
        long all = unbatched + inBatches.get();
        if (all >= BATCHES_MAX * costs.batchChunks(chunkBytes)) {
            return true;
        }
        long since = busySince;
        double device =
                costs.deviceNanos(format, chunkBytes, all) - (since == 0 ? 0 : nanos - since);
        return device > costs.hostNanos(format, chunkBytes, Math.max(1, toCome - unbatched));
    }
}
