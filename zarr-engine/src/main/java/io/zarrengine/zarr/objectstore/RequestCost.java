package io.zarrengine.zarr.objectstore;

/**
 * The cost of a request, in bytes. Two ranges of an object are read by one request if the bytes
 * between them cost less than another request.
 *
 * @param gapBytes largest unwanted gap between two ranges of one request, {@code >= 0}: the time to
 *     the first byte multiplied by the bandwidth of a connection
 * @param fusedBytesMax the longest request for several ranges, {@code >= 0}; 0 keeps each range
 *     apart
 */
public record RequestCost(long gapBytes, long fusedBytesMax) {
    /** A store in the memory of this process. */
    public static final RequestCost MEMORY = new RequestCost(0, 0);

    /**
     * A store behind a network of which nothing is known: 5 ms to the first byte and 50 MB/s. Above
     * 8 MiB a longer request is not cheaper for each byte.
     */
    public static final RequestCost NETWORK = new RequestCost(256 << 10, 8 << 20);

    /** Checks the numbers. */
    public RequestCost {
        if (gapBytes < 0 || fusedBytesMax < 0) {
            throw new IllegalArgumentException("gap " + gapBytes + ", fused " + fusedBytesMax);
        }
    }
}
