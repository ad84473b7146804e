package io.zarrengine.zarr;

import java.lang.foreign.Arena;

/**
 * When a tensor's memory, and what others see of it, may be used: until it is closed.
 *
 * <p>Threads: any.
 */
final class TensorLifetime {
    private final Runnable free;
    private Arena views; // null: nobody has asked for one; closing one would cost a handshake
    private volatile boolean isClosed;

    /** {@code free}: ends the use of the memory; if it throws, the memory is still in use. */
    TensorLifetime(Runnable free) {
        this.free = free;
    }

    void refuseIfClosed() {
        if (isClosed) {
            throw new IllegalStateException("the tensor is closed");
        }
    }

    /** {@return where to allocate what lives as long as the tensor} */
    synchronized Arena views() {
        refuseIfClosed();
        if (views == null) {
            views = Arena.ofShared();
        }
        return views;
    }

    /** If a native call uses a view or the memory, the error says so, and it is still open. */
    synchronized void close() {
        refuseIfClosed();
        if (views != null) {
            views.close();
            views = null;
        }
        free.run();
        isClosed = true;
    }

    /** Closes it, unless somebody has done so. */
    synchronized void closeIfOpen() {
        if (!isClosed) {
            close();
        }
    }
}
