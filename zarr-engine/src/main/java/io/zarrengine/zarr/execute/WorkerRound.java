package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.metrics.Metrics;
import io.zarrengine.zarr.metrics.Recorder;
import io.zarrengine.zarr.metrics.WorkEvent;

/**
 * Takes the times of a worker's rounds, and says how many reads it has. Owner: one worker. Threads:
 * its own, except {@link #readsInFlight} and {@link #readsArrived}.
 */
final class WorkerRound {
    private final Metrics metrics;
    private WorkEvent event; // of this round; null: nobody records
    private long begin; // of this step, in ns
    private long planNanos;
    private long readNanos;
    private long placeNanos; // spent placing while work was taken
    private long placeNanosBefore; // of that, what was placed while it was taken before
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

    /** Something was placed from a mapped file while work was taken. */
    void placed(long nanos) {
        placeNanos += nanos;
    }

    /** Work was taken, for the first time in this round or again. */
    void planned(int inFlight, int arrived) {
        planNanos += stepNanos() - (placeNanos - placeNanosBefore);
        placeNanosBefore = placeNanos;
        readsInFlight = inFlight;
        readsArrived = arrived;
    }

    /** Reads were submitted and heard of, likewise. */
    void heard(int inFlight, int arrived, long windowBytes) {
        readNanos += stepNanos();
        readsInFlight = inFlight;
        readsArrived = arrived;
        if (event != null) {
            event.readsInFlight = inFlight;
            event.readsArrived = arrived;
            event.windowBytes = windowBytes;
        }
    }

    /** Some of them were decoded. */
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

    /** {@return how many reads the worker waits for} */
    int readsInFlight() {
        return readsInFlight;
    }

    /** {@return how many reads have ended that it has yet to decode} */
    int readsArrived() {
        return readsArrived;
    }
}
