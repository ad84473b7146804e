package io.zarrengine.zarr.execute;

/**
 * Limits the bytes of one worker's reads of files that are in flight, or have arrived and are not
 * decoded.
 *
 * <p>A read from the page cache ends while it is submitted. If a worker read many of these ahead,
 * the bytes would leave the core's cache before they are decoded, so the window should be small. A
 * disk needs several reads in flight, so the window should be large. The kernel does not say where
 * bytes come from. Therefore the window doubles if reads are in flight after a submission, and
 * halves if none is.
 *
 * <p>Owner: one worker. Threads: the worker's.
 */
final class ReadWindow {
    /** This many bytes and the elements decoded from them fit into the L2 cache of a core. */
    private static final long BYTES_MIN = 256 << 10;

    /** However long reads are, one is in flight while another is decoded. */
    private static final int READS_MIN = 2;

    private final long bytesMax;
    private long bytes = BYTES_MIN;
    private long takenBytes; // of reads that wait for memory, are in flight, or are not freed
    private int takenReads; // the number of the reads in takenBytes
    private long readNow; // bytes read without the queue since the last turnEnds()

    ReadWindow(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytes() {
        return bytes;
    }

    /** {@return whether the worker may begin another read} */
    boolean hasRoom() {
        boolean isFirstAhead = bytes > BYTES_MIN && takenReads < READS_MIN && readNow < bytes;
        return takenBytes + readNow < bytes || isFirstAhead;
    }

    /** Counts a read. */
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

    /** Notes that the worker has taken work and polls the queue next. */
    void turnEnds() {
        readNow = 0;
    }

    /** Notes whether reads are in flight after a submission. */
    void adapt(boolean inFlight) {
        bytes = inFlight ? Math.min(2 * bytes, bytesMax) : Math.max(bytes / 2, BYTES_MIN);
    }
}
