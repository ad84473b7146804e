package io.zarrengine.zarr.execute;

/**
 * The number of bytes that a worker may have in its own memory: in flight, or arrived and not
 * decoded.
 *
 * <p>A read from the page cache has arrived when it was submitted. To read many of them ahead only
 * pushes bytes out of the core's cache before they are decoded, so the window is small. A disk
 * needs several reads in flight. The kernel does not say which it is, so the window is doubled if
 * reads are in flight after a submission, and halved if none is.
 */
final class ReadWindow {
    /** Together with the decoded elements this is less than the L2 cache of a core. */
    private static final long BYTES_MIN = 256 << 10;

    /** One read is in flight while the other is decoded, however large they are. */
    private static final int READS_MIN = 2;

    private final long bytesMax;
    private long bytes = BYTES_MIN;
    private long takenBytes; // of the reads that wait for memory, are in flight, or not freed
    private int takenReads; // the number of these reads
    private long readNow; // bytes read without the queue since work was last taken

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

    /** Notes bytes that were read without the queue, or looked for and not found. */
    void countReadNow(long newBytes) {
        readNow += newBytes;
    }

    /** Notes that the queue is polled now. Work is taken again afterwards. */
    void turnEnds() {
        readNow = 0;
    }

    /** Notes whether reads are in flight after a submission. */
    void adapt(boolean inFlight) {
        bytes = inFlight ? Math.min(2 * bytes, bytesMax) : Math.max(bytes / 2, BYTES_MIN);
    }
}
