package io.zarrengine.bench.compare;

/**
 * The result of a contender in one round.
 *
 * @param value in the unit of the scenario's work
 * @param cpuSecondsPerGigabyte CPU time of its threads per delivered gigabyte; NaN if it was not
 *     measured
 */
record RoundResult(double value, double cpuSecondsPerGigabyte) {
    static RoundResult of(WorkerProcess.Run run) {
        return new RoundResult(run.gigabytesPerSecond(), run.cpuSeconds() / (run.bytes() / 1e9));
    }

    static RoundResult of(WorkerProcess.Latency latency) {
        return new RoundResult(latency.medianMicros(), Double.NaN);
    }
}
