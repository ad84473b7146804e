package io.zarrengine.uring.plan;

/**
 * The rule by which neighbouring ranges are read together and long ranges are cut. Its numbers
 * depend on the way of reading: the cost of a read against the cost of its bytes.
 *
 * @param gapBytes largest unwanted gap between two ranges of one read, {@code >= 0}; a range that
 *     overlaps the last one always joins, if it fits
 * @param fusedBytesMax the longest read of several ranges, {@code >= 0}; 0 keeps each range apart
 * @param readBytesMax the longest read, {@code > 0} and a multiple of {@code alignment}; a longer
 *     range is cut into several reads
 * @param alignment reads begin and end at multiples of it, a power of two: 1 for buffered reads,
 *     the logical block for direct ones
 */
public record FuseRule(long gapBytes, long fusedBytesMax, long readBytesMax, int alignment) {
    /**
     * The rule for the page cache. A read costs 1.2 us and 0.117 us for each KiB: two reads of 4
     * KiB cost the same as one with a gap of 4 KiB. Above 256 KiB a longer read is not cheaper for
     * each byte.
     */
    public static final FuseRule BUFFERED = new FuseRule(4 << 10, 256 << 10, 512 << 10, 1);

    /**
     * The rule for O_DIRECT. Two reads of 4 to 16 KiB cost the same as one with a gap of 8 KiB on a
     * busy device.
     */
    public static final FuseRule DIRECT = new FuseRule(8 << 10, 256 << 10, 512 << 10, 4096);

    /**
     * The gap for few reads, fewer than the device works on at once. There a read costs its
     * latency, 60 us or more, as much as reading 75 to 105 KiB.
     */
    public static final long LATENCY_GAP_BYTES = 64 << 10;

    /**
     * {@return the rule for a file: {@link #DIRECT} for a file that must be read in blocks}
     *
     * @param alignment the alignment of the file's reads; 1 for the page cache
     */
    public static FuseRule of(int alignment) {
        return alignment == 1 ? BUFFERED : DIRECT.withAlignment(alignment);
    }

    /** Checks the numbers. */
    public FuseRule {
        if (gapBytes < 0 || fusedBytesMax < 0 || readBytesMax <= 0) {
            throw new IllegalArgumentException(
                    "gap " + gapBytes + ", fused " + fusedBytesMax + ", longest " + readBytesMax);
        }
        if (Integer.bitCount(alignment) != 1 || alignment < 0) {
            throw new IllegalArgumentException("alignment " + alignment);
        }
        if (readBytesMax % alignment != 0 || fusedBytesMax > readBytesMax) {
            throw new IllegalArgumentException(
                    "longest read "
                            + readBytesMax
                            + ": alignment "
                            + alignment
                            + ", fused "
                            + fusedBytesMax);
        }
    }

    /**
     * {@return this rule with another alignment}
     *
     * @param bytes a power of two
     */
    public FuseRule withAlignment(int bytes) {
        return new FuseRule(gapBytes, fusedBytesMax, readBytesMax, bytes);
    }

    /**
     * {@return this rule with another gap}
     *
     * @param bytes {@code >= 0}
     */
    public FuseRule withGap(long bytes) {
        return new FuseRule(bytes, fusedBytesMax, readBytesMax, alignment);
    }
}
