package io.zarrengine.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the common parts of all subcommands: help, version, exit status, messages. */
final class MainTest {
    static Set<String> subcommands() {
        return Main.commandLine(new Main()).getSubcommands().keySet();
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void everySubcommandHelps(String subcommand) {
        String help = CommandRun.of(subcommand, "--help").succeeded();
        assertTrue(help.contains("Usage: zarr-engine " + subcommand + " "), help);
    }

    @ParameterizedTest
    @MethodSource("subcommands")
    void everySubcommandIsListed(String subcommand) {
        String help = CommandRun.of("--help").succeeded();
        assertTrue(help.lines().anyMatch(line -> line.startsWith("  " + subcommand + " ")), help);
    }

    @Test
    void allSubcommandsOfTheContractAreThere() {
        Set<String> contract = Set.of("info", "read", "bench", "render", "doctor");
        assertTrue(subcommands().containsAll(contract), () -> subcommands().toString());
    }

    @ParameterizedTest
    @CsvSource({"--version", "info --version", "read -V"})
    void versionNamesThisAndJava(String words) {
        String version = CommandRun.of((Object[]) words.split(" ")).succeeded();
        assertTrue(version.matches("zarr-engine \\d+\\.\\d+\\.\\d+\\S*\\RJava \\d+.*\\R"), version);
    }

    @ParameterizedTest
    @CsvSource({
        "info, PATH",
        "info a b, b",
        "info a --nonsense, --nonsense",
        "read a, --output",
        "read --requests a --output b, --requests",
        "read a --output b.npy --requests c, --requests",
        "read a --output b.npy --io nonsense, --io",
        "read a --output b.npy --threads x, --threads",
        "read a --output b.npy --threads 0, 0 workers",
        "read a --output b.npy --threads 1025, 1025 workers",
        "read a --output b.npy --memory 1, too small",
        "read a --output b.npy --memory 99999999999999, too large",
        "read a --output b.npy --memory -9223372036854775808, too small",
        "read a --output b.npy --device gpu:0, is no GPU",
        "bench a --slices b --device cuda:-1, is no GPU",
        "bench a --slices b --device cuda:9999999999, is no GPU",
        "bench a --slices b --chunk-cache -1, a chunk cache cannot have -1048576 bytes",
        "bench a --slices b --chunk-cache 99999999999999, --chunk-cache is too large",
        "bench a, --slices",
        "bench a --slices b --in-flight 0, --in-flight",
        "bench a --slices b --repeat 0, --repeat",
        "render a --output b.png, --slice",
        "render a --slice 0, --output",
        "render a --slice 0 --output b.png --colormap nonsense, --colormap",
        "render a --slice 0 --output b.png --range 1, --range",
        "'render a --slice 0 --output b.png --range 1,2,3', --range",
        "'render a --slice 0 --output b.png --range 1,x', --range",
        "'render a --slice 0 --output b.png --range NaN,1', --range",
        "doctor a, a",
    })
    void wrongUsageIsStatusTwo(String words, String complaint) {
        CommandRun.of((Object[]) words.split(" ")).misused(complaint);
    }

    @Test
    void anUnknownSubcommandIsStatusTwo() {
        CommandRun run = CommandRun.of("inform");
        assertTrue(run.err().contains("'inform'") && run.err().contains("info"), run.err());
        assertEquals(2, run.status());
    }

    @Test
    void withoutArgumentsItShowsHowToUseIt() {
        CommandRun.of().misused("Commands:");
    }

    @Test
    void anEmptyPathIsWrongUsage() {
        CommandRun.of("info", "").misused("the path is empty");
    }

    /** A full disk, or a pipe without a reader. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "--version",
                "info --help",
                "help info",
                "doctor",
                "doctor --json"
            })
    void anOutputThatCannotBeWrittenIsAFailure(String words) {
        Writer full =
                new Writer() {
                    @Override
                    public void write(char[] buffer, int offset, int length) throws IOException {
                        throw new IOException("No space left on device");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(new Main());
        commandLine.setOut(new PrintWriter(full)).setErr(new PrintWriter(err, true));
        assertEquals(1, Main.run(commandLine, words.split(" ")));
        assertEquals("zarr-engine: the standard output cannot be written", err.toString().strip());
    }

    @Test
    void aRefusalIsOneLine(@TempDir Path folder) {
        CommandRun.of("info", folder.resolve("nothing")).refused("nothing: does not exist");
    }

    @ParameterizedTest
    @CsvSource({"--debug info", "info --debug"})
    void debugShowsTheStackTrace(String words, @TempDir Path folder) {
        String[] parts = words.split(" ");
        CommandRun run = CommandRun.of(parts[0], parts[1], folder.resolve("nothing"));
        assertTrue(run.err().contains("NodeNotFoundException: "), run.err());
        assertTrue(run.err().contains("\tat io.zarrengine"), run.err());
        assertEquals(1, run.status());
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(new NoSuchFileException("/f"), "/f: there is no such file"),
                Arguments.of(new AccessDeniedException("/f"), "/f: permission denied"),
                Arguments.of(new FileSystemException("/f", null, "reason"), "/f: reason"),
                Arguments.of(
                        new DirectoryNotEmptyException("/f"), "/f: is a folder that is not empty"),
                Arguments.of(new FileSystemException("/f"), "/f: cannot be read or written"),
                Arguments.of(new FileNotFoundException("/f (reason)"), "/f (reason)"),
                Arguments.of(new IOException(), "cannot be read or written"),
                Arguments.of(new OutOfMemoryError("reason"), "not enough memory: reason"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messagesSayWhatHappened(Throwable failure, String message) {
        assertEquals(message, Main.message(failure));
    }
}
