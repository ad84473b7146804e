package io.zarrengine.cuda;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The only thread that makes CUDA calls of a device. CUDA keeps the current device per thread, and
 * the device's objects have no locks.
 *
 * <p>It is a platform thread because calls block in the driver. Threads: {@link #call} and {@link
 * #submit} any; they hand the work over.
 */
public final class DeviceThread implements AutoCloseable {
    /**
     * Work for the thread.
     *
     * @param <T> type of the result
     */
    @FunctionalInterface
    public interface Task<T> {
        /**
         * Runs the task.
         *
         * @return the task's result
         * @throws IOException if CUDA or anything else fails
         */
        T run() throws IOException;
    }

    private final Thread thread;
    private final ExecutorService executor;

    DeviceThread(String name) {
        // The executor starts its thread with the first task, which returns that thread.
        executor =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name(name).factory());
        thread = join(executor.submit(Thread::currentThread));
    }

    /**
     * Runs a task on the thread and waits for it, even if interrupted, because the caller's objects
     * must outlive the task. On the thread itself it runs at once.
     *
     * @param task the task to run
     * @param <T> type of its result
     * @return the task's result
     * @throws IOException the exception that the task threw
     */
    public <T> T call(Task<T> task) throws IOException {
        if (isCurrent()) {
            return task.run();
        }
        FutureTask<T> future = new FutureTask<>(task::run);
        executor.execute(future);
        return result(future);
    }

    /**
     * Runs a task on the thread later.
     *
     * @param task the task to run
     * @return a future of its end, with its failure
     */
    public Future<?> submit(Task<?> task) {
        return executor.submit(task::run);
    }

    /** {@return whether the caller runs on this thread} */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /**
     * Checks that the caller runs on this thread.
     *
     * @throws WrongThreadException if it is another thread, which is a bug of the caller
     */
    void check() {
        if (!isCurrent()) {
            throw new WrongThreadException(
                    Thread.currentThread().getName() + " is not " + thread.getName());
        }
    }

    /**
     * Ends the thread after the submitted tasks. Waits for them, unless called on the thread
     * itself.
     */
    @Override
    public void close() {
        if (isCurrent()) {
            executor.shutdown();
        } else {
            executor.close();
        }
    }

    private static <T> T result(Future<T> future) throws IOException {
        try {
            return join(future);
        } catch (Failure failure) {
            switch (failure.getCause()) {
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IOException(failure.getCause());
            }
        }
    }

    private static <T> T join(Future<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new Failure(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure(Throwable cause) {
            super(cause);
        }
    }
}
