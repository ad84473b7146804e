package io.zarrengine.uring.reading;

/**
 * Starts threads that complete futures, because the actions of callers must run on none of the
 * engine's own threads. Threads: any.
 */
public final class CompletionThread {
    private CompletionThread() {}

    /**
     * Runs a completion on a new virtual thread. A JVM whose first virtual thread found a full heap
     * can never start one; then the completion runs on a new platform thread.
     *
     * @param completion to run
     * @throws OutOfMemoryError if there is no memory for a thread
     */
    public static void start(Runnable completion) {
        try {
            Thread.startVirtualThread(completion);
        } catch (LinkageError e) {
            Thread.ofPlatform().daemon().name("zarr-engine-completion").start(completion);
        }
    }
}
