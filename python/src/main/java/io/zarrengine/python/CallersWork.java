package io.zarrengine.python;

import io.zarrengine.zarr.DeviceTensor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The work of Python's streams on batches in its own GPU memory that it has dropped. A loader knows
 * it of its own batches; another one, on the same memory, waits here. Threads: any.
 */
final class CallersWork {
    private static final Set<DeviceTensor> UNDER_WAY = ConcurrentHashMap.newKeySet();

    private CallersWork() {}

    /** Adds the work on a tensor that is closed. */
    static void add(DeviceTensor closed) {
        if (!closed.ownsMemory()) {
            UNDER_WAY.add(closed);
            var _ = closed.whenUnused().whenComplete((_, _) -> UNDER_WAY.remove(closed));
        }
    }

    /** Waits for all of it. */
    static void await() {
        UNDER_WAY.forEach(closed -> closed.whenUnused().exceptionally(_ -> null).join());
    }
}
