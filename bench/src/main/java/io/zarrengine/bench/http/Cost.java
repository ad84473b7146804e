package io.zarrengine.bench.http;

/**
 * What a request cost in one round.
 *
 * @param requestsPerCore how many end in a second of a core, with all threads of this process
 * @param gigabytesPerCore GB/s of their bodies, likewise
 * @param heapBytes that one allocates on the Java heap
 */
record Cost(double requestsPerCore, double gigabytesPerCore, double heapBytes) {
    static Cost of(long requests, long bytes, long cpuNanos, long heapBytes) {
        return new Cost(
                requests * 1e9 / cpuNanos,
                (double) bytes / cpuNanos,
                (double) heapBytes / requests);
    }
}
