package io.zarrengine.zarr.task;

import io.zarrengine.bindings.NativeMemoryError;

/** Runs requests. Implemented by the executor. Threads: any. */
public interface RequestOwner {
    /** More chunks of a request may begin than before. */
    void goOn(ReadRequest request);

    /** All parts of a request have ended. Called before its listeners are. */
    void partsEnded(ReadRequest request);

    /** All listeners of a request have been called. */
    void ended(ReadRequest request);

    /**
     * An allocation on Java's heap failed on a thread of the engine: the engine fails as a whole.
     * Never throws.
     */
    void heapIsFull();

    /**
     * {@return whether an error means that Java's heap is full} Memory outside the heap is another
     * thing: without it one read fails.
     *
     * @param error any throwable
     */
    static boolean isFullHeap(Throwable error) {
        return error instanceof OutOfMemoryError && !(error instanceof NativeMemoryError);
    }
}
