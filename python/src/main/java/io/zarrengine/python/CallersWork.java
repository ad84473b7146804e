package io.zarrengine.python;

import io.zarrengine.zarr.DeviceTensor;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The work of Python's streams on batches in its own GPU memory that it has dropped. A loader knows
 * it of its own batches; another one, on the same memory, waits here. Threads: any.
 */
final class CallersWork {
    private static final Map<DeviceTensor, CompletableFuture<Void>> UNDER_WAY =
            new ConcurrentHashMap<>();

    private CallersWork() {}

    /** Adds the work on a tensor that is closed. */
    static void add(DeviceTensor closed) {
        CompletableFuture<Void> unused = closed.whenUnused();
        if (!closed.ownsMemory() && !unused.isDone()) {
            UNDER_WAY.put(closed, unused);
            var _ = unused.whenComplete((_, _) -> UNDER_WAY.remove(closed));
        }
    }

    /** Waits for all of it. */
    static void await() {
        UNDER_WAY.values().forEach(unused -> unused.exceptionally(_ -> null).join());
    }
}
