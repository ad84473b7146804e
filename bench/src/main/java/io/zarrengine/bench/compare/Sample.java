package io.zarrengine.bench.compare;

/**
 * The result of a contender in one round.
 *
 * @param value in the unit of the scenario's work
 * @param cpuSecondsPerGigabyte CPU time of its threads per delivered gigabyte; NaN if it was not
 *     measured
 */
record Sample(double value, double cpuSecondsPerGigabyte) {
    static Sample of(WorkerProcess.Run run) {
        return new Sample(run.gigabytesPerSecond(), run.cpuSeconds() / (run.bytes() / 1e9));
    }

    static Sample of(WorkerProcess.Latency latency) {
        return new Sample(latency.medianMicros(), Double.NaN);
    }
}
