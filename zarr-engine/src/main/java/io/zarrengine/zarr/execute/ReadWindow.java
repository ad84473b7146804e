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
    private long takenBytes; // of the reads that wait for memory, are under way, or not freed
    private int takenReads; // how many they are
    private long readNow; // bytes that were read besides, since work was last taken

    ReadWindow(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytes() {
        return bytes;
    }

    /** {@return whether another read may be taken} */
    boolean hasRoom() {
        boolean isFirstAhead = bytes > BYTES_MIN && takenReads < READS_MIN && readNow < bytes;
        return takenBytes + readNow < bytes || isFirstAhead;
    }

    void begin(long readBytes) {
        takenBytes += readBytes;
        takenReads++;
    }

    /** Ends what {@link #begin} began. */
    void free(long readBytes) {
        takenBytes -= readBytes;
        takenReads--;
    }

    /** Learns that so much was read without the queue, or looked for in vain. */
    void countReadNow(long newBytes) {
        readNow += newBytes;
    }

    /** Learns that the queue is looked at now: work is taken again afterwards. */
    void turnEnds() {
        readNow = 0;
    }

    /** Learns whether reads are left in flight after a submission. */
    void adapt(boolean inFlight) {
        bytes = inFlight ? Math.min(2 * bytes, bytesMax) : Math.max(bytes / 2, BYTES_MIN);
    }
}
