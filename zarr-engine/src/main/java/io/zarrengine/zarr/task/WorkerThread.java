package io.zarrengine.zarr.task;

import java.util.ArrayDeque;

/**
 * The thread of a worker, and notifications that it has put off. To wake a thread takes the worker
 * longer than to read a small crop, and a caller that looks by itself need not be woken.
 *
 * <p>Owner: itself.
 */
public final class WorkerThread extends Thread {
    /** Longer than a woken caller takes to ask for the next read. */
    private static final long LATER_NANOS = 100_000;

    private final ArrayDeque<Runnable> untold = new ArrayDeque<>();
    private long since; // when the first of them was put off

    public WorkerThread(String name, Runnable task) {
        super(null, task, name, 0, false);
        setDaemon(true);
    }

    /**
     * Puts something off until this worker has nothing else to do, but not for long.
     *
     * @param telling runs then; must be quick and not throw
     * @return whether it was put off: the current thread is a worker's, and there is memory
     */
    public static boolean tellLater(Runnable telling) {
        return currentThread() instanceof WorkerThread worker && worker.putOff(telling);
    }

    private boolean putOff(Runnable telling) {
        if (untold.isEmpty()) {
            since = System.nanoTime();
        }
        try {
            untold.add(telling);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /** {@return whether something was put off on the current thread, a worker's} */
    public static boolean hasUntold() {
        return !current().untold.isEmpty();
    }

    /** Runs what was put off on the current thread, a worker's. */
    public static void tellAll() {
        ArrayDeque<Runnable> untold = current().untold;
        while (!untold.isEmpty()) {
            untold.remove().run();
        }
    }

    /** The same, if it has waited for long enough. */
    public static void tellDue() {
        if (hasUntold() && System.nanoTime() - current().since > LATER_NANOS) {
            tellAll();
        }
    }

    /**
     * Closing a shared arena during an access marks the accessing thread as interrupted (JDK 25);
     * the next channel that it opens would be closed. Of a caller's thread we cannot know whether
     * he was interrupted as well, and that must not be lost.
     */
    public static void forgetInterrupt() {
        if (currentThread() instanceof WorkerThread) {
            interrupted();
        }
    }

    private static WorkerThread current() {
        return (WorkerThread) currentThread();
    }
}
