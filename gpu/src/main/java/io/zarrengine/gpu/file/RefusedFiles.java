package io.zarrengine.gpu.file;

import io.zarrengine.bindings.FailSafeLogger;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Files that were refused, one after the other: the first is a warning, and so many are the
 * machine's. Threads: any.
 */
final class RefusedFiles {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");
    private static final int IN_A_ROW_MAX = 16;

    private final AtomicInteger inARow = new AtomicInteger();

    /** {@return whether no more files are to be tried, unless one that was tried is accepted} */
    boolean areTooMany() {
        return inARow.get() >= IN_A_ROW_MAX;
    }

    /** {@code message}: what was refused, and why. */
    void add(String message) {
        boolean isFirst = inARow.getAndIncrement() == 0;
        LOGGER.log(isFirst ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, message);
    }

    /** A file was accepted. */
    void end() {
        inARow.set(0);
    }
}
