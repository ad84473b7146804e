package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Has the zstd batches of a device run one after another, whichever streams they are in: two at a
 * time may disturb each other (SeanRooooney/nvcomp-zstd-reproducer, cudf PR 22468). It is the
 * device that waits: a batch begins when the one that was queued before it has run.
 *
 * <p>Owner: a decoder or an encoder. Threads: its device's; those of others, which engines have of
 * the same device, take turns with it.
 */
final class ZstdTurns implements AutoCloseable {
    /** What is queued by one turn. */
    interface Batch {
        void queue() throws IOException;
    }

    /** Who had the latest turn on a device; null: nobody, or it has run. Guarded by itself. */
    private static final class Latest {
        private ZstdTurns turn;
    }

    private static final Map<Integer, Latest> DEVICES = new ConcurrentHashMap<>(); // by ordinal

    private final CudaStream stream;
    private final Latest latest;
    private final CudaEvent hasRun;

    /** {@code stream}: where its batches are queued, closed after it. */
    ZstdTurns(CudaStream stream) throws CudaException {
        this.stream = stream;
        latest = DEVICES.computeIfAbsent(stream.device().ordinal(), _ -> new Latest());
        hasRun = CudaEvent.open(stream.device());
    }

    /** Queues a batch behind all that were queued before. */
    @SuppressWarnings("ReferenceEquality") // Two streams are never the same one.
    void take(Batch batch) throws IOException {
        synchronized (latest) { // Until it can be waited for.
            if (latest.turn != null && latest.turn.stream != stream) {
                stream.waitFor(latest.turn.hasRun);
            }
            batch.queue();
            hasRun.record(stream);
            latest.turn = this;
        }
    }

    /** Its batches have run. */
    @Override
    public void close() {
        synchronized (latest) { // Nobody is about to wait for its event.
            latest.turn = latest.turn == this ? null : latest.turn;
            hasRun.close();
        }
    }
}
