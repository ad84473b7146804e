package io.zarrengine.cli;

import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line: hands over to the subcommands. */
@Command(
        name = "zarr-engine",
        description = "Reads sharded Zarr arrays at the speed of the hardware.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {
            InfoCommand.class,
            ReadCommand.class,
            BenchCommand.class,
            RenderCommand.class,
            DoctorCommand.class,
            DemoCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Main {
    @Option(
            names = "--debug",
            description = "Show the stack trace of a failure.",
            scope = ScopeType.INHERIT)
    boolean debug;

    /** Picocli creates it. */
    public Main() {}

    /**
     * Runs the command and ends the process with its status.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(run(commandLine(new Main()), arguments));
    }

    static CommandLine commandLine(Main main) {
        return new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(
                        (e, command, parsed) -> report(e, command.getErr(), main.debug));
    }

    static int run(CommandLine commandLine, String... arguments) {
        if (arguments.length == 0) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        try {
            return commandLine.execute(arguments);
        } catch (OutOfMemoryError e) { // No bug: the result is larger than the memory.
            commandLine.getErr().println("zarr-engine: " + message(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** A refused request is one line; anything else is a bug, and shows where. */
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
            err.println("zarr-engine: " + message(e));
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** {@return what to tell the user of a failure} */
    static String message(Throwable e) {
        return switch (e) {
            case FileSystemException file -> file.getFile() + ": " + StoreException.problem(file);
            case IOException other -> StoreException.problem(other);
            case OutOfMemoryError memory -> "not enough memory: " + memory.getMessage();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
