package io.zarrengine.uring;

/** Receives the end of each read. */
@FunctionalInterface
public interface ReadListener {
    /**
     * Reports the end of one read. Its memory belongs to the caller again. Runs on the thread that
     * owns the queue, and may queue further reads. Must not throw, because the reads reported after
     * this one would be lost.
     *
     * @param token the token that the read was queued with
     * @param result bytes read, fewer than requested only at the end of the file; or -errno
     */
    void completed(int token, long result);
}
