package io.zarrengine.uring;

/**
 * How much has been opened lately: a data set of many files is as large as all of them. What was
 * opened within half a minute is taken to be read together; a device that is slower than that
 * leaves the page cache time to forget by itself.
 *
 * <p>Two generations, so that time and memory stay bounded. Threads: any.
 */
final class RecentFiles {
    static final long GENERATION_NANOS = 15_000_000_000L;
    static final int GENERATION_FILES_MAX = 1 << 16;

    private final Object lock = new Object(); // guards the rest
    private FileSizes current = new FileSizes();
    private FileSizes previous = new FileSizes(); // 0 bytes of what is in the other
    private long bytes; // of both
    private long beganNanos;

    /**
     * Notes that a file is opened.
     *
     * @param nanos as {@link System#nanoTime}
     * @return bytes of all files opened lately, with this one
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
