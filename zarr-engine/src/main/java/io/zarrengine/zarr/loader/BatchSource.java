package io.zarrengine.zarr.loader;

import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Makes batches.
 *
 * @param <T> the type of a tensor
 */
interface BatchSource<T> extends AutoCloseable {
    /** A batch that is being made. Threads: one at a time. */
    interface Pending<T> {
        /** {@return whether {@link #await} would not wait} */
        boolean isDone();

        /** {@return the tensors by name; waits} May be called again if it is interrupted. */
        Map<String, T> await() throws InterruptedException, ExecutionException;

        /** Asks that the work end early; does not wait. */
        void cancel();

        /** Waits until nothing writes to the tensors any more, and closes them. */
        void release();
    }

    /**
     * Starts to make a batch. A failure is thrown when the caller waits.
     *
     * @param samples of all arrays
     */
    Pending<T> start(Samples samples);

    /** Closes a tensor unless it is already closed. */
    void release(T tensor);

    /**
     * Frees the memory of all tensors; of those still open, when they are closed.
     *
     * @throws IllegalStateException if a native call uses a tensor; this may be called again
     */
    @Override
    void close();
}
