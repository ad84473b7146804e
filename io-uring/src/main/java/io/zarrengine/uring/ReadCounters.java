package io.zarrengine.uring;

/**
 * What a queue has done.
 *
 * @param reads reads that ended, whatever their result
 * @param bytes bytes they brought
 * @param submissions system calls that submitted or waited; without io_uring, one for each read
 * @param retries reads submitted again, because they were short or interrupted
 */
public record ReadCounters(long reads, long bytes, long submissions, long retries) {
    /** Nothing done. */
    public static final ReadCounters NONE = new ReadCounters(0, 0, 0, 0);

    /**
     * {@return the sum of two}
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
