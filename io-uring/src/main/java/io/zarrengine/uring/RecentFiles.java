package io.zarrengine.uring;

/**
 * Counts the bytes of the files opened recently, because a data set of many files is as large as
 * all of them. Files opened within half a minute count as read together. On a slower device, pages
 * leave the page cache before that matters.
 *
 * <p>Two generations bound time and memory. Threads: any.
 */
final class RecentFiles {
    static final long GENERATION_NANOS = 15_000_000_000L;
    static final int GENERATION_FILES_MAX = 1 << 16;

    private final Object lock = new Object(); // guards the rest
    private FileSizes current = new FileSizes();
    private FileSizes previous = new FileSizes(); // a file in both generations has 0 bytes here
    private long bytes; // of both generations
    private long beganNanos;

    /**
     * Records that a file is opened.
     *
     * @param nanos as {@link System#nanoTime}
     * @return bytes of all files opened recently, this one included
     */
    long opened(FileVersion file, long nanos) {
        synchronized (lock) {
            if (nanos - beganNanos > GENERATION_NANOS || current.files() == GENERATION_FILES_MAX) {
                turn(nanos);
            }
            int hash = file.identity().hashCode();
            bytes += file.byteSize() - current.put(hash, file.byteSize());
            bytes -= previous.forget(hash);
            return bytes;
        }
    }

    private void turn(long nanos) {
        boolean bothAreOld = nanos - beganNanos > 2 * GENERATION_NANOS;
        bytes = bothAreOld ? 0 : current.bytes();
        previous = bothAreOld ? new FileSizes() : current;
        current = new FileSizes();
        beganNanos = nanos;
    }
}
