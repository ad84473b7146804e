package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.task.WorkerThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * The threads of the workers. Each runs a worker, and another one whenever a worker breaks.
 *
 * <p>Owner: the {@link Executor}, which joins the threads before it closes this. Threads: any.
 */
final class WorkerThreads implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** Workers of one thread in a row that may break before they read anything; then it ends. */
    private static final int FAILURES_MAX = 3;

    /** After this time a joining thread again fails requests that it had no memory to fail. */
    private static final long RETRY_MILLIS = 1000;

    private final Executor executor;
    private final QueueFactory queues;
    private final int count;
    private final AtomicInteger threadsLeft;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final Queue<Worker> ended = new ConcurrentLinkedQueue<>(); // close() frees their memory
    private final List<Thread> threads = new ArrayList<>();
    private ReadBackend fallback; // null until a queue breaks; guarded by this

    /** Prepares threads; {@link #start} starts them. */
    WorkerThreads(Executor executor, QueueFactory queues, int count) {
        this.executor = executor;
        this.queues = queues;
        this.count = count;
        this.threadsLeft = new AtomicInteger(count);
    }

    /**
     * Starts the threads.
     *
     * @throws OutOfMemoryError if the machine refuses a thread
     */
    void start() {
        for (int i = 0; i < count; i++) {
            Thread thread = new WorkerThread("zarr-engine-worker-" + i, this::serve);
            thread.start();
            threads.add(thread);
        }
    }

    /** {@return whether these threads may access a segment} */
    boolean mayAccess(MemorySegment segment) {
        return segment.isAccessibleBy(threads.getFirst());
    }

    /** Has the workers close the files that no read uses, once they wake. */
    void forgetFiles() {
        workers.forEach(Worker::forgetFiles);
    }

    /** {@return the sum of a number of each worker} */
    int sum(ToIntFunction<WorkerRound> number) {
        int sum = 0;
        for (Worker worker : workers) {
            sum += number.applyAsInt(worker.round());
        }
        return sum;
    }

    /** Wakes the workers; returns false if there is no memory to wake all of them. */
    boolean tryWakeAll() {
        boolean areWoken = true;
        try {
            for (Worker worker : workers) {
                areWoken &= tryWake(worker);
            }
        } catch (OutOfMemoryError e) {
            areWoken = false;
        }
        return areWoken;
    }

    private static boolean tryWake(Worker worker) {
        try {
            worker.wake();
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * Runs the workers of one thread. The thread ends early if its workers break at their start
     * again and again, or if there is no memory to log that.
     */
    private void serve() {
        try {
            runWorkers();
        } catch (RuntimeException | Error e) {
            if (threadsLeft.decrementAndGet() == 0) {
                executor.allThreadsBroke(e);
            }
        } finally {
            WorkerThread.tellAll();
        }
    }

    /** Runs a worker, and a new one whenever a worker breaks. */
    private void runWorkers() {
        IOException queueFailure = null;
        int failures = 0;
        while (!executor.mayStop()) {
            Worker worker = null;
            try {
                worker =
                        new Worker(
                                executor, queueFailure == null ? queues : fallback(queueFailure));
                workers.add(worker);
                worker.run();
            } catch (IOException e) {
                queueFailure = e;
            } catch (RuntimeException | Error e) {
                failures = worker != null && worker.hasRead() ? 1 : failures + 1;
                if (failures == FAILURES_MAX) {
                    throw e;
                }
                LOGGER.log(System.Logger.Level.WARNING, "a worker broke: " + e);
            } finally {
                workers.remove(worker);
                if (worker != null) {
                    ended(worker);
                }
            }
        }
    }

    /**
     * Frees a worker, or leaves that to the closing thread. To free shared memory, the JVM asks
     * every thread whether it uses the memory: hundreds of workers that did this at once took
     * seconds.
     */
    private void ended(Worker worker) {
        if (executor.mayStop()) {
            ended.add(worker);
        } else {
            worker.close();
        }
    }

    /** Returns the pool of preadv. All workers whose own queues broke share it. */
    private synchronized QueueFactory fallback(IOException cause) {
        if (fallback == null) {
            fallback = ReadBackend.of(ReadBackend.Method.PREADV);
            LOGGER.log(
                    System.Logger.Level.WARNING, "falling back to preadv: " + cause.getMessage());
        }
        return fallback::newQueue;
    }

    /**
     * Waits until all threads have ended.
     *
     * @param failRequests fails the requests that the threads wait for; repeated meanwhile
     * @return whether this thread was interrupted, which does not end the wait
     */
    boolean join(Runnable failRequests) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                failRequests.run();
                interrupted |= join(thread, RETRY_MILLIS);
            }
        }
        return interrupted;
    }

    /** {@return whether this thread was interrupted while it waited} */
    static boolean join(Thread thread, long millis) {
        try {
            thread.join(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Frees the memory of the workers, after their threads have ended. */
    @Override
    public void close() {
        for (Worker worker = ended.poll(); worker != null; worker = ended.poll()) {
            worker.close(); // Once, also if several threads close the executor.
        }
        closeFallback();
    }

    private synchronized void closeFallback() {
        if (fallback != null) {
            fallback.close();
        }
    }
}
