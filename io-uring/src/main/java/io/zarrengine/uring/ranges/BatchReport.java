package io.zarrengine.uring.ranges;

/**
 * What a batch took.
 *
 * @param ranges ranges that were wanted
 * @param reads reads that brought them
 * @param wantedBytes their lengths
 * @param readBytes bytes that were read for them
 */
public record BatchReport(long ranges, long reads, long wantedBytes, long readBytes) {
    /** {@return bytes read for each byte wanted; 1 if nothing was wanted} */
    public double amplification() {
        return wantedBytes == 0 ? 1 : (double) readBytes / wantedBytes;
    }
}
