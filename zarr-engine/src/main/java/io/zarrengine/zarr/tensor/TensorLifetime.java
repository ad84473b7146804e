package io.zarrengine.zarr.tensor;

import java.lang.foreign.Arena;

/**
 * The lifetime of a tensor's memory and of the views of it. It ends when the tensor is closed.
 *
 * <p>Threads: any.
 */
public final class TensorLifetime {
    private final Runnable free;
    private Arena views; // null until requested, because closing an arena costs a handshake
    private volatile boolean isClosed;

    /** {@code free}: ends the use of the memory; if it throws, the memory is still in use. */
    public TensorLifetime(Runnable free) {
        this.free = free;
    }

    public void refuseIfClosed() {
        if (isClosed) {
            throw new IllegalStateException("the tensor is closed");
        }
    }

    /** {@return the arena for objects that live as long as the tensor} */
    public synchronized Arena views() {
        refuseIfClosed();
        if (views == null) {
            views = Arena.ofShared();
        }
        return views;
    }

    /**
     * Ends the lifetime. If a native call uses a view or the memory, this throws and the tensor
     * stays open.
     */
    public synchronized void close() {
        refuseIfClosed();
        if (views != null) {
            views.close();
            views = null;
        }
        free.run();
        isClosed = true;
    }

    /** Closes the tensor unless it is already closed. */
    public synchronized void closeIfOpen() {
        if (!isClosed) {
            close();
        }
    }
}
