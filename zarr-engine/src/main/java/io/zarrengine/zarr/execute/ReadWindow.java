package io.zarrengine.zarr.execute;

/**
 * How many bytes a worker has under way in its own memory: read, or arrived and not decoded.
 *
 * <p>What the page cache holds has arrived when it was submitted. To read much of it ahead only
 * pushes it out of the core's cache before it is decoded, so the window is small. What a disk reads
 * needs several reads in flight. Nobody says which it is: reads that are left in flight double the
 * window, and when none is, it is halved.
 */
final class ReadWindow {
    /** With what is decoded from it, less than the second level cache of a core. */
    private static final long BYTES_MIN = 256 << 10;

    /** One is read while the other is decoded, however large they are. */
    private static final int READS_MIN = 2;

    private final long bytesMax;
    private long bytes = BYTES_MIN;

    ReadWindow(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytes() {
        return bytes;
    }

    /**
     * {@return whether another read may be taken}
     *
     * @param takenBytes of the reads that are under way, or arrived
     * @param takenReads how many they are
     * @param readNow bytes that were read besides since the worker last heard of its reads
     */
    boolean hasRoom(long takenBytes, int takenReads, long readNow) {
        boolean isFirstAhead = bytes > BYTES_MIN && takenReads < READS_MIN && readNow < bytes;
        return takenBytes + readNow < bytes || isFirstAhead;
    }

    /** Learns whether reads are left in flight after a submission. */
    void adapt(boolean inFlight) {
        bytes = inFlight ? Math.min(2 * bytes, bytesMax) : Math.max(bytes / 2, BYTES_MIN);
    }
}
