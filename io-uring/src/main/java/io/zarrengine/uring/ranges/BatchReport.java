package io.zarrengine.uring.ranges;

/**
 * Statistics of a batch.
 *
 * @param ranges wanted ranges
 * @param reads reads that fetched them
 * @param wantedBytes total length of the ranges
 * @param readBytes bytes read for them
 */
public record BatchReport(long ranges, long reads, long wantedBytes, long readBytes) {
    /** {@return bytes read for each wanted byte; 1 if nothing was wanted} */
    public double amplification() {
        return wantedBytes == 0 ? 1 : (double) readBytes / wantedBytes;
    }
}
