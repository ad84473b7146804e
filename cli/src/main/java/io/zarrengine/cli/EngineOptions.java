package io.zarrengine.cli;

import io.zarrengine.zarr.ZarrEngine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every subcommand that reads chunks. */
final class EngineOptions {
    /** The spellings of {@code --io}. */
    enum Io {
        AUTO,
        URING,
        PREAD,
        CHANNEL
    }

    @Option(
            names = "--io",
            paramLabel = "WAY",
            defaultValue = "AUTO",
            description = "How files are read: auto, uring, pread, channel. Default: auto.")
    private Io io = Io.AUTO;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Workers. Default: one for each core.")
    private Integer threads;

    @Option(
            names = "--memory",
            paramLabel = "MIB",
            description = "Memory besides the results, in MiB. Default: 1024.")
    private Long memoryMebibytes;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    ZarrEngine open() {
        try {
            ZarrEngine.Builder builder = ZarrEngine.builder().io(ZarrEngine.Io.valueOf(io.name()));
            if (threads != null) {
                builder.workers(threads);
            }
            if (memoryMebibytes != null) {
                if (memoryMebibytes > Long.MAX_VALUE >> 20) {
                    throw new IllegalArgumentException("--memory is too large");
                }
                builder.budgetBytes(memoryMebibytes << 20);
            }
            return builder.open();
        } catch (IllegalArgumentException e) { // A number that makes no sense.
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }
}
