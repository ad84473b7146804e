package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * One run of the command, in this process.
 *
 * @param status its exit status
 * @param out its standard output
 * @param err its standard error
 */
record CommandRun(int status, String out, String err) {
    /** Runs the command as a shell would. */
    static CommandRun of(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
        CommandLine commandLine = Main.commandLine(new Main(), words);
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return new CommandRun(Main.run(commandLine, words), out.toString(), err.toString());
    }

    /** Asserts that the command succeeded; returns its output. */
    String succeeded() {
        assertEquals("", err);
        assertEquals(0, status, out);
        return out;
    }

    /** Asserts that the command refused with one line that contains a text, and no result. */
    void refused(String text) {
        assertTrue(err.startsWith("zarr-engine: ") && err.contains(text), err);
        assertEquals(1, err.lines().count(), err);
        assertEquals("", out);
        assertEquals(1, status);
    }

    /** Asserts that the command reported wrong usage, with a text and the help. */
    void misused(String text) {
        assertTrue(err.contains(text) && err.contains("Usage: zarr-engine"), err);
        assertEquals("", out);
        assertEquals(2, status);
    }
}
