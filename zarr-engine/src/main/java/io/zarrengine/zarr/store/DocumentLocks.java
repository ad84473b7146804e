package io.zarrengine.zarr.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Locks of this process for programs that read, change and replace a document. Without them, a
 * thread writes back what another one has changed meanwhile.
 */
public final class DocumentLocks {
    /** A fixed number, so that nothing grows. Folders that share one wait for each other. */
    private static final List<Lock> LOCKS =
            Stream.<Lock>generate(ReentrantLock::new).limit(64).toList();

    private DocumentLocks() {}

    /**
     * {@return the lock of a node's document, of all engines; no other may be taken while it is
     * held}
     *
     * @param folder of the node; all links to it have one lock
     */
    public static Lock of(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException _) { // The caller finds out that it does not exist.
            real = folder;
        }
        return LOCKS.get(Math.floorMod(real.hashCode(), LOCKS.size()));
    }
}
