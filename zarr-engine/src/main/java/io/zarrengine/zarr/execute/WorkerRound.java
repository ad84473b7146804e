package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.Recorder;
import io.zarrengine.zarr.metrics.WorkEvent;

/**
 * Measures the rounds of a worker, and holds the numbers of its reads for other threads.
 *
 * <p>Owner: one worker. Threads: the worker's, except {@link #readsInFlight} and {@link
 * #readsArrived}.
 */
final class WorkerRound {
    private final Metrics metrics;
    private WorkEvent event; // of this round; null without a recording
    private long begin; // System.nanoTime() at the start of this step
    private long planNanos;
    private long readNanos;
    private long placeNanos; // spent on placing while work was taken
    private long placeNanosBefore; // the part of placeNanos that planNanos excludes already
    private volatile int readsInFlight;
    private volatile int readsArrived;

    WorkerRound(Metrics metrics) {
        this.metrics = metrics;
    }

    void begin() {
        event = Recorder.isInUse() ? new WorkEvent() : null;
        if (event != null) {
            event.begin();
        }
        planNanos = 0;
        readNanos = 0;
        placeNanos = 0;
        placeNanosBefore = 0;
        begin = System.nanoTime();
    }

    /** Notes time that the worker spent on placing from a mapped file while it took work. */
    void placed(long nanos) {
        placeNanos += nanos;
    }

    /** Ends a step that took work. May be called several times a round. */
    void planned(int inFlight, int arrived) {
        planNanos += stepNanos() - (placeNanos - placeNanosBefore);
        placeNanosBefore = placeNanos;
        readsInFlight = inFlight;
        readsArrived = arrived;
    }

    /** Ends a step that submitted reads and got results. May be called several times a round. */
    void noteReads(int inFlight, int arrived, long windowBytes) {
        readNanos += stepNanos();
        readsInFlight = inFlight;
        readsArrived = arrived;
        if (event != null) {
            event.readsInFlight = inFlight;
            event.readsArrived = arrived;
            event.windowBytes = windowBytes;
        }
    }

    /** Ends the last step, which decoded. */
    void end() {
        long decodeNanos = stepNanos() + placeNanos;
        metrics.workerWorked(planNanos, readNanos, decodeNanos);
        if (event != null) {
            event.planTime = planNanos;
            event.readTime = readNanos;
            event.decodeTime = decodeNanos;
            event.commit();
        }
    }

    private long stepNanos() {
        long now = System.nanoTime();
        long nanos = now - begin;
        begin = now;
        return nanos;
    }

    /** {@return how many reads have not ended} Any thread. */
    int readsInFlight() {
        return readsInFlight;
    }

    /** {@return how many reads have ended and are not decoded} Any thread. */
    int readsArrived() {
        return readsArrived;
    }
}
