package io.zarrengine.gpu.read;

import java.util.ArrayList;
import java.util.List;

/**
 * Memory of a device whose tensors were not closed, and are garbage. The device may still work with
 * it, on a stream of the caller's: so it is freed when the engine is closed. Threads: any.
 */
final class ForgottenResults implements AutoCloseable {
    private final List<Runnable> frees = new ArrayList<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** {@code free}: frees it. */
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
