package io.zarrengine.uring;

/**
 * The work done by a queue.
 *
 * @param reads reads that ended, with any result
 * @param bytes bytes read
 * @param submissions system calls that submitted or waited; without io_uring, one for each read
 * @param retries reads submitted again, because they were short or interrupted
 */
public record ReadCounters(long reads, long bytes, long submissions, long retries) {
    /** All zero. */
    public static final ReadCounters NONE = new ReadCounters(0, 0, 0, 0);

    /**
     * {@return the sum of these and other counters}
     *
     * @param other the other summand
     */
    public ReadCounters plus(ReadCounters other) {
        return new ReadCounters(
                reads + other.reads,
                bytes + other.bytes,
                submissions + other.submissions,
                retries + other.retries);
    }
}
