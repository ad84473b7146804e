package io.zarrengine.uring;

/** Is told of each read that ended. */
@FunctionalInterface
public interface ReadListener {
    /**
     * One read ended; its memory is the caller's again. Runs on the thread that owns the queue, and
     * may queue further reads. Must not throw: the reads reported after this one would be lost.
     *
     * @param token what the read was queued with
     * @param result bytes read, fewer than asked only at the end of the file; or -errno
     */
    void completed(int token, long result);
}
