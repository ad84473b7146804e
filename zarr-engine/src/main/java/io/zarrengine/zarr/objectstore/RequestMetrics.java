package io.zarrengine.zarr.objectstore;

import java.time.Duration;

/**
 * Counters of the requests that a store has sent since it was opened, and its current load.
 *
 * @param requests requests sent, with those of retries, hedges and redirects
 * @param retries of these, the requests that repeated a failed one
 * @param hedges of these, the requests sent beside others that were slow to answer
 * @param bytes bytes of bodies received
 * @param answers requests whose answer has begun
 * @param firstByteNanos time from a request to the first byte of its answer, in ns, summed over the
 *     answers
 * @param queuedNanos time that reads waited for their turn, in ns, summed over the reads that have
 *     begun
 * @param inFlight reads under way, at this moment
 * @param queued reads that wait for their turn, at this moment
 */
public record RequestMetrics(
        long requests,
        long retries,
        long hedges,
        long bytes,
        long answers,
        long firstByteNanos,
        long queuedNanos,
        int inFlight,
        int queued) {
    /** A store that sends no requests. */
    public static final RequestMetrics NONE = new RequestMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** {@return the time from a request to the first byte of its answer, on average; or zero} */
    public Duration meanFirstByte() {
        return mean(firstByteNanos, answers);
    }

    /** {@return the time that reads waited for their turn, by requests; or zero} */
    public Duration meanQueued() {
        return mean(queuedNanos, requests);
    }

    private static Duration mean(long nanos, long count) {
        return Duration.ofNanos(count == 0 ? 0 : nanos / count);
    }

    /**
     * {@return the sum of both}
     *
     * @param other counters of another store
     */
    public RequestMetrics plus(RequestMetrics other) {
        return new RequestMetrics(
                requests + other.requests,
                retries + other.retries,
                hedges + other.hedges,
                bytes + other.bytes,
                answers + other.answers,
                firstByteNanos + other.firstByteNanos,
                queuedNanos + other.queuedNanos,
                inFlight + other.inFlight,
                queued + other.queued);
    }

    /**
     * {@return the counts since a moment, with the current load}
     *
     * @param before the counters at that moment
     */
    public RequestMetrics since(RequestMetrics before) {
        return new RequestMetrics(
                requests - before.requests,
                retries - before.retries,
                hedges - before.hedges,
                bytes - before.bytes,
                answers - before.answers,
                firstByteNanos - before.firstByteNanos,
                queuedNanos - before.queuedNanos,
                inFlight,
                queued);
    }
}
