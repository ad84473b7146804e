package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the zstd batches of a device run one after another, in any streams. Two at a time may
 * disturb each other (SeanRooooney/nvcomp-zstd-reproducer, cudf PR 22468). The device waits, not
 * the host: a batch begins when the one queued before it has run.
 *
 * <p>Owner: a decoder or an encoder. Threads: its device's; threads of other engines with the same
 * device take turns with it.
 */
final class ZstdTurns implements AutoCloseable {
    /** The batch that one turn queues. */
    interface Batch {
        void queue() throws IOException;
    }

    /** The latest turn on a device; null if there was none, or it has run. Guarded by itself. */
    private static final class Latest {
        private ZstdTurns turn;
    }

    private static final Map<Integer, Latest> DEVICES = new ConcurrentHashMap<>(); // by ordinal

    private final CudaStream stream;
    private final Latest latest;
    private final CudaEvent hasRun;

    /** {@code stream} is the stream of its batches, closed after it. */
    ZstdTurns(CudaStream stream) throws CudaException {
        this.stream = stream;
        latest = DEVICES.computeIfAbsent(stream.device().ordinal(), _ -> new Latest());
        hasRun = CudaEvent.open(stream.device());
    }

    /** Queues a batch after all that were queued before. */
    @SuppressWarnings("ReferenceEquality") // two streams are never the same object
    void take(Batch batch) throws IOException {
        synchronized (latest) { // until other streams can wait for it
            if (latest.turn != null && latest.turn.stream != stream) {
                stream.waitFor(latest.turn.hasRun);
            }
            batch.queue();
            hasRun.record(stream);
            latest.turn = this;
        }
    }

    /** Ends the turns. Its batches must have run. */
    @Override
    public void close() {
        synchronized (latest) { // no stream is about to wait for its event
            latest.turn = latest.turn == this ? null : latest.turn;
            hasRun.close();
        }
    }
}
