package io.zarrengine.bench.http;

/**
 * The cost of a request in one round.
 *
 * @param requestsPerCore requests that end per second of CPU time of this process, all threads
 * @param gigabytesPerCore GB/s of their bodies, likewise
 * @param heapBytes bytes that one request allocates on the Java heap
 */
record Cost(double requestsPerCore, double gigabytesPerCore, double heapBytes) {
    static Cost of(long requests, long bytes, long cpuNanos, long heapBytes) {
        return new Cost(
                requests * 1e9 / cpuNanos,
                (double) bytes / cpuNanos,
                (double) heapBytes / requests);
    }
}
