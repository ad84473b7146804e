package io.zarrengine.cli;

import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Shows on a terminal, until it is closed, how much has come from stores behind URLs: one line,
 * which then vanishes. Nothing else is written to the terminal meanwhile.
 */
final class Progress implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;

    /** Of Linux. A pipe or a file has another name. */
    private static final Path ERROR_OUTPUT = Path.of("/proc/self/fd/2");

    private static final String LINE_START = "\r";
    private static final String ERASE_REST = "\033[K"; // ECMA-48, EL

    private final Supplier<RequestMetrics> metrics;
    private final PrintWriter terminal;
    private final long periodMillis;
    private final Thread thread; // null without a terminal
    private boolean isShown; // of the thread, while it runs

    /**
     * Begins to show.
     *
     * @param metrics returns the counters so far
     * @param terminal null for none
     * @param periodMillis time between two lines
     */
    Progress(Supplier<RequestMetrics> metrics, PrintWriter terminal, long periodMillis) {
        this.metrics = metrics;
        this.terminal = terminal;
        this.periodMillis = periodMillis;
        this.thread = terminal == null ? null : Thread.ofPlatform().daemon().start(this::run);
    }

    /**
     * {@return the progress of an engine, shown if the standard error is a terminal}
     *
     * @param err null to show nothing
     */
    static Progress of(ZarrEngine engine, PrintWriter err) {
        return new Progress(
                () -> engine.metrics().stores(), isTerminal() ? err : null, PERIOD_MILLIS);
    }

    private static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(ERROR_OUTPUT).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(periodMillis);
                RequestMetrics done = metrics.get();
                if (done.requests() > 0) {
                    isShown = true;
                    print(RequestReport.line(done));
                }
            }
        } catch (InterruptedException _) {
            // It was closed.
        }
    }

    private void print(String line) {
        terminal.print(LINE_START + line + ERASE_REST);
        terminal.flush();
    }

    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
            if (isShown) {
                print("");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
