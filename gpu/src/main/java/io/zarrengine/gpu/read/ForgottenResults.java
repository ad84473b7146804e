package io.zarrengine.gpu.read;

import java.util.ArrayList;
import java.util.List;

/**
 * Device memory of tensors that became garbage without being closed. The device may still use it,
 * on a stream of the caller, so it is freed when the engine is closed. Threads: any.
 */
final class ForgottenResults implements AutoCloseable {
    private final List<Runnable> frees = new ArrayList<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** Adds memory; {@code free} frees it, at once if this is closed. */
    void add(Runnable free) {
        synchronized (this) {
            if (!isClosed) {
                frees.add(free);
                return;
            }
        }
        free.run();
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        frees.forEach(Runnable::run);
    }
}
