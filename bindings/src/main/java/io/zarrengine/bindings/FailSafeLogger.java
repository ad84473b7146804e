package io.zarrengine.bindings;

import java.lang.System.Logger.Level;

/**
 * Tells whoever runs a program what it should know, and never throws: a thread that others wait for
 * logs here what it copes with. A logger may need a file, and be asked because there are no
 * descriptors left; {@code java.util.logging} then ends in an {@link Error}.
 */
public final class FailSafeLogger {
    private final System.Logger logger;

    /**
     * Creates one.
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
     * Logs, if that is possible.
     *
     * @param level how bad it is
     * @param message what happened
     */
    public void log(Level level, String message) {
        log(level, message, null);
    }

    /**
     * Logs, if that is possible.
     *
     * @param level how bad it is
     * @param message what happened
     * @param cause why, or null
     */
    public void log(Level level, String message, Throwable cause) {
        try {
            logger.log(level, message, cause);
        } catch (RuntimeException | Error _) {
            // Nobody is left to be told.
        }
    }
}
