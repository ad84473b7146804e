package io.zarrengine.uring.reading;

/**
 * Starts threads that complete futures, because the actions of callers must run on none of the
 * engine's own threads. Threads: any.
 */
public final class CompletionThread {
    private static final int RETRIES_MAX = 16;

    /**
     * Platform threads of second attempts; a place is free if its thread is null or has ended. Null
     * before the first one, because a class that a full heap keeps from being initialized can never
     * be used again. Guarded by the class.
     */
    private static Thread[] retries;

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
            newPlatformThread(completion).start();
        }
    }

    /**
     * Runs a completion again, on a platform thread: a full heap may have stopped all virtual
     * threads of the JVM, without a word. Few such threads run at a time, because many completions
     * may only wait for their turn.
     *
     * @param completion to run
     * @return false if too many such threads run now
     * @throws OutOfMemoryError if there is no memory for a thread
     */
    public static synchronized boolean tryAgain(Runnable completion) {
        retries = retries == null ? new Thread[RETRIES_MAX] : retries;
        for (int i = 0; i < retries.length; i++) {
            if (retries[i] == null || !retries[i].isAlive()) {
                retries[i] = newPlatformThread(completion);
                retries[i].start();
                return true;
            }
        }
        return false;
    }

    private static Thread newPlatformThread(Runnable completion) {
        return Thread.ofPlatform().daemon().name("zarr-engine-completion").unstarted(completion);
    }
}
