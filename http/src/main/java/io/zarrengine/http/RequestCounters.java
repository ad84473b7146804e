package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.util.concurrent.atomic.LongAdder;

/** Counts the work of a store. Threads: any. */
final class RequestCounters {
    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder hedges = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder firstByteNanos = new LongAdder();
    private final LongAdder queuedNanos = new LongAdder();

    void request() {
        requests.increment();
    }

    void retry() {
        retries.increment();
    }

    void hedge() {
        hedges.increment();
    }

    /** Counts bytes of a body. */
    void bytes(long more) {
        bytes.add(more);
    }

    /** Counts an answer that has begun, so long after its request. */
    void answer(long nanos) {
        answers.increment();
        firstByteNanos.add(nanos);
    }

    /** Counts a read that has begun after it waited for so long. */
    void begun(long nanos) {
        queuedNanos.add(nanos);
    }

    RequestMetrics metrics(int inFlight, int queued) {
        return new RequestMetrics(
                requests.sum(),
                retries.sum(),
                hedges.sum(),
                bytes.sum(),
                answers.sum(),
                firstByteNanos.sum(),
                queuedNanos.sum(),
                inFlight,
                queued);
    }
}
