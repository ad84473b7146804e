package io.zarrengine.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

final class FailSafeLoggerTest {
    private final List<String> logged = new ArrayList<>();
    private final Error failure = new NoClassDefFoundError("sun.util.calendar.ZoneInfoFile");
    private boolean fails;

    /** Writes to a list, or fails like java.util.logging without descriptors. */
    private final class ListLogger implements System.Logger {
        @Override
        public String getName() {
            return "list";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable cause) {
            if (fails) {
                throw failure;
            }
            logged.add(level + " " + message + " " + cause);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            throw new AssertionError("braces in a path are no parameters");
        }
    }

    @Test
    void logs() {
        var logger = new FailSafeLogger(new ListLogger());
        logger.log(Level.WARNING, "{0} ended");
        logger.log(Level.ERROR, "broke", new IllegalStateException("why"));
        assertEquals(
                List.of(
                        "WARNING {0} ended null",
                        "ERROR broke java.lang.IllegalStateException: why"),
                logged);
    }

    @Test
    void aLoggerThatFailsStopsNobody() {
        fails = true;
        var logger = new FailSafeLogger(new ListLogger());
        logger.log(Level.WARNING, "ended");
        logger.log(Level.WARNING, "ended", failure);
        assertEquals(List.of(), logged);
    }
}
