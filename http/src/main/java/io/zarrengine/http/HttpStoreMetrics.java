package io.zarrengine.http;

import java.time.Duration;

/**
 * Counters of a store since it was opened.
 *
 * @param requests number of requests that were sent, with those of retries and redirects
 * @param retries number of requests that repeated a failed one
 * @param bytes bytes of bodies that were received
 * @param inFlight number of requests under way
 * @param queued number of reads that wait for their turn
 * @param firstByte time from a request to the headers of its response, averaged over the last ones
 */
public record HttpStoreMetrics(
        long requests, long retries, long bytes, int inFlight, int queued, Duration firstByte) {}
