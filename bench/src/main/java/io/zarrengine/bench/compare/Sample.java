package io.zarrengine.bench.compare;

/**
 * What a contender reached in one round.
 *
 * @param value in the unit of the scenario's work
 * @param cpuSecondsPerGigabyte that its threads worked, delivered bytes; NaN if it was not measured
 */
record Sample(double value, double cpuSecondsPerGigabyte) {
    static Sample of(WorkerProcess.Run run) {
        return new Sample(run.gigabytesPerSecond(), run.cpuSeconds() / (run.bytes() / 1e9));
    }

    static Sample of(WorkerProcess.Latency latency) {
        return new Sample(latency.medianMicros(), Double.NaN);
    }
}
