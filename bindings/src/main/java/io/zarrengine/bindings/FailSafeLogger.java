package io.zarrengine.bindings;

import java.lang.System.Logger.Level;

/**
 * A logger that never throws, for threads that others wait for. A logger may need a file when no
 * descriptors are left; {@code java.util.logging} then throws an {@link Error}. So it is obtained
 * early, although a JVM's first logger takes 20 ms.
 */
public final class FailSafeLogger {
    private final System.Logger logger;

    /**
     * Creates a logger.
     *
     * @param name of the logger: begins with {@code io.zarrengine}
     */
    public FailSafeLogger(String name) {
        this(System.getLogger(name));
    }

    FailSafeLogger(System.Logger logger) {
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
            logger.log(level, message, cause);
        } catch (RuntimeException | Error _) {
            // There is no other place to report this.
        }
    }
}
