package io.zarrengine.cuda;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The one thread that makes all CUDA calls of a device: CUDA keeps its current device per thread,
 * and what belongs to a device has no lock here.
 *
 * <p>A platform thread, since calls block in the driver. Threads: {@link #call} and {@link #submit}
 * any; they hand the work over.
 */
public final class DeviceThread implements AutoCloseable {
    /**
     * Work for the thread.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface Task<T> {
        /**
         * Does it.
         *
         * @return whatever the caller wants back
         * @throws IOException if CUDA or anything else fails
         */
        T run() throws IOException;
    }

    private final Thread thread;
    private final ExecutorService executor;

    DeviceThread(String name) {
        // The executor starts its thread with the first task: that is the one we ask.
        executor =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name(name).factory());
        thread = join(executor.submit(Thread::currentThread));
    }

    /**
     * Runs a task on the thread and waits for it, also through an interrupt: what a task uses must
     * outlive it. On the thread itself it runs at once.
     *
     * @param task what to do
     * @param <T> what it returns
     * @return what the task returned
     * @throws IOException what the task threw
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
     * Runs a task on the thread some time later.
     *
     * @param task what to do
     * @return its end; a failure is inside
     */
    public Future<?> submit(Task<?> task) {
        return executor.submit(task::run);
    }

    /** {@return whether the caller runs on this thread} */
    public boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /**
     * Insists on being called on the thread.
     *
     * @throws WrongThreadException if this is another one: the caller's bug
     */
    void check() {
        if (!isCurrent()) {
            throw new WrongThreadException(
                    Thread.currentThread().getName() + " is not " + thread.getName());
        }
    }

    /** Ends the thread after what was handed over. Waits, unless the thread itself calls. */
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
