package io.zarrengine.zarr.task;

import java.util.ArrayDeque;

/**
 * The thread of a worker, with a list of calls that were put off. To wake up a caller's thread
 * takes the worker longer than to read a small crop, and a caller that soon asks for its result
 * need not be woken.
 *
 * <p>Owner: itself.
 */
public final class WorkerThread extends Thread {
    /** Longer than a caller that was woken takes to ask for the next read. */
    private static final long LATER_NANOS = 100_000;

    private final ArrayDeque<Runnable> putOff = new ArrayDeque<>();
    private long since; // when the first of them was put off, in ns

    public WorkerThread(String name, Runnable task) {
        super(null, task, name, 0, false);
        setDaemon(true);
    }

    /**
     * Puts a call off until this worker has nothing else to do, but not for long.
     *
     * @param call must be quick, and may throw no exception but an {@link OutOfMemoryError}
     * @return whether it was put off: the current thread is a worker's
     */
    public static boolean putOff(Runnable call) {
        if (!(currentThread() instanceof WorkerThread worker)) {
            return false;
        }
        if (worker.putOff.isEmpty()) {
            worker.since = System.nanoTime();
        }
        worker.putOff.add(call);
        return true;
    }

    /** {@return whether a call was put off on the current thread, a worker's} */
    public static boolean hasPutOff() {
        return !current().putOff.isEmpty();
    }

    /** Runs the calls that were put off on the current thread, a worker's. */
    public static void runAll() {
        current().runRest();
    }

    /** Runs them if the first of them has waited for long enough. */
    public static void runDue() {
        if (hasPutOff() && System.nanoTime() - current().since > LATER_NANOS) {
            runAll();
        }
    }

    /**
     * Runs the calls that were put off on this thread, after it has ended.
     *
     * @throws OutOfMemoryError if there is no memory for the next one: then it is still in the list
     */
    public void runRest() {
        for (Runnable call = putOff.peek(); call != null; call = putOff.peek()) {
            call.run();
            putOff.remove();
        }
    }

    /**
     * Clears the interrupt of a worker. Closing a shared arena during an access marks the accessing
     * thread as interrupted (JDK 25), and then the next channel that this thread opens is closed.
     * On a caller's thread this does nothing, because the caller may have been interrupted as well,
     * and must learn of that.
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
