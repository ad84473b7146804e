package io.zarrengine.cli;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line: dispatches to the subcommands. */
@Command(
        name = "zarr-engine",
        description = "Reads sharded Zarr arrays at the speed of the hardware.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class)
public final class Main {
    private static final String HELP = "help"; // lists the others

    private static final List<String> SUBCOMMANDS =
            List.of("info", "read", "bench", "render", "doctor", "demo", HELP);

    @Option(
            names = "--debug",
            description = "Show the stack trace of a failure.",
            scope = ScopeType.INHERIT)
    boolean debug;

    /** Called by picocli. */
    public Main() {}

    /**
     * Runs the command and ends the process with its status.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        PrintStream results = System.out; // Allowed: the results go to standard output
        PrintWriter out = new PrintWriter(results, true, results.charset());
        System.exit(run(commandLine(new Main(), arguments).setOut(out), arguments));
    }

    /** Makes the command line for given arguments. */
    static CommandLine commandLine(Main main, String... arguments) {
        CommandLine line = new CommandLine(main);
        addSubcommands(line, arguments);
        return line
                // Otherwise file names chosen by a store could add options.
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Path.class, NodeLocation::path)
                .registerConverter(NodeLocation.class, NodeLocation::parse)
                .registerConverter(Target.class, TargetOption::parse)
                .setExecutionExceptionHandler(
                        (e, command, parsed) -> report(e, command.getErr(), main.debug));
    }

    /**
     * Adds the subcommand that is the first argument, or all of them if there is none: picocli
     * reads the annotations of each, which takes a new process 40 ms.
     */
    private static void addSubcommands(CommandLine line, String... arguments) {
        String first = arguments.length == 0 ? HELP : arguments[0];
        boolean isOne = SUBCOMMANDS.contains(first) && !first.equals(HELP);
        for (String name : isOne ? List.of(first) : SUBCOMMANDS) {
            line.addSubcommand(name, newSubcommand(name));
        }
    }

    /** Not a map of lambdas: Java 25.0.3 cannot put one that makes a picocli class in the cache. */
    private static Object newSubcommand(String name) {
        return switch (name) {
            case "info" -> new InfoCommand();
            case "read" -> new ReadCommand();
            case "bench" -> new BenchCommand();
            case "render" -> new RenderCommand();
            case "doctor" -> new DoctorCommand();
            case "demo" -> new DemoCommand();
            case HELP -> new CommandLine.HelpCommand();
            default -> throw new AssertionError(name);
        };
    }

    static int run(CommandLine commandLine, String... arguments) {
        if (arguments.length == 0) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        try {
            return withOutputChecked(commandLine, commandLine.execute(arguments));
        } catch (OutOfMemoryError e) { // Not a bug: the result is larger than the memory.
            commandLine.getErr().println("zarr-engine: " + message(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /**
     * Checks the output for errors, because a writer reports none and a full disk would look like
     * success.
     */
    private static int withOutputChecked(CommandLine commandLine, int status) {
        if (status == CommandLine.ExitCode.OK && commandLine.getOut().checkError()) {
            commandLine.getErr().println("zarr-engine: the standard output cannot be written");
            return CommandLine.ExitCode.SOFTWARE;
        }
        return status;
    }

    /** {@return the selection of an option; everything if it is empty or missing} */
    static Selection selection(String text) {
        return text.isBlank() ? Selection.all() : Selection.of(text);
    }

    /** Reports a failure: a refused request in one line, a bug with its stack trace. */
    private static int report(Exception e, PrintWriter err, boolean debug) {
        boolean expected =
                e instanceof ZarrException
                        || e instanceof IOException
                        || e instanceof IllegalArgumentException
                        || e instanceof IndexOutOfBoundsException
                        || e instanceof UnsupportedOperationException;
        if (debug || !expected) {
            e.printStackTrace(err); // Allowed: asked for with --debug, or a bug
        } else {
            err.println("zarr-engine: " + PrintableWriter.printable(message(e)));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** {@return the message of a failure for the user} */
    static String message(Throwable e) {
        return switch (e) {
            case FileSystemException file -> file.getFile() + ": " + StoreException.problem(file);
            case IOException other -> StoreException.problem(other);
            case OutOfMemoryError memory -> "not enough memory: " + memory.getMessage();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
