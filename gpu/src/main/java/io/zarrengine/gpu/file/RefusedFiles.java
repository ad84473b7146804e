package io.zarrengine.gpu.file;

import io.zarrengine.bindings.FailSafeLogger;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts files that were refused in a row. The first is logged as a warning. Too many in a row mean
 * that the machine, not a file, is the cause. Threads: any.
 */
final class RefusedFiles {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");
    private static final int IN_A_ROW_MAX = 16;

    private final AtomicInteger inARow = new AtomicInteger();

    /** {@return whether no more files should be tried} An accepted file resets this. */
    boolean areTooMany() {
        return inARow.get() >= IN_A_ROW_MAX;
    }

    /** Counts a refusal. {@code message} names the file and the cause. */
    void add(String message) {
        boolean isFirst = inARow.getAndIncrement() == 0;
        LOGGER.log(isFirst ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, message);
    }

    /** Resets the count, because a file was accepted. */
    void end() {
        inARow.set(0);
    }
}
