package io.zarrengine.python;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.objectstore.ObjectStore;

/**
 * A store that several nodes are read from.
 *
 * <p>Owner: those who hold it; the last one to release it closes the store. Threads: any.
 */
final class SharedStore {
    private final ObjectStore store;
    private int holders = 1; // guarded by this

    /** Takes the store. The caller is the first to hold it. */
    SharedStore(ObjectStore store) {
        this.store = store;
    }

    ObjectStore store() {
        return store;
    }

    /** Holds the store once more. */
    synchronized void hold() {
        if (holders == 0) {
            throw ClosedException.ofArray(store.name());
        }
        holders++;
    }

    /** Holds the store once less. Reads under way fail if nobody holds it any more. */
    void release() {
        boolean isLast;
        synchronized (this) {
            isLast = --holders == 0;
        }
        if (isLast) {
            store.close();
        }
    }
}
