package io.zarrengine.bindings;

import java.lang.System.Logger.Level;
import java.util.function.Supplier;

/**
 * A logger that never throws, for threads that others wait for. A logger may need a file when no
 * descriptors are left; {@code java.util.logging} then throws an {@link Error}.
 */
public final class FailSafeLogger {
    private final Supplier<System.Logger> logger; // asked late: a JVM's first logger takes 20 ms

    /**
     * Creates a logger.
     *
     * @param name of the logger: begins with {@code io.zarrengine}
     */
    public FailSafeLogger(String name) {
        this(() -> System.getLogger(name));
    }

    FailSafeLogger(Supplier<System.Logger> logger) {
        this.logger = logger;
    }

    /**
     * Logs a message, if that is possible.
     *
     * @param level of the message
     * @param message to log
     */
    public void log(Level level, String message) {
        log(level, message, null);
    }

    /**
     * Logs a message, if that is possible.
     *
     * @param level of the message
     * @param message to log
     * @param cause of the message, or null
     */
    public void log(Level level, String message, Throwable cause) {
        try {
            logger.get().log(level, message, cause);
        } catch (RuntimeException | Error _) {
            // There is no other place to report this.
        }
    }
}
