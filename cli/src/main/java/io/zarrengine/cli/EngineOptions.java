package io.zarrengine.cli;

import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrEngineBuilder;
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
        CHANNEL,
        GDS
    }

    @Option(
            names = "--io",
            paramLabel = "WAY",
            defaultValue = "AUTO",
            description =
                    "How files are read: auto, uring, pread, channel; gds: uncompressed chunks with"
                            + " GPUDirect Storage, for --device. Default: auto.")
    private Io io = Io.AUTO;

    @Option(
            names = "--direct",
            negatable = true,
            description =
                    "Around the page cache (O_DIRECT) where the file system can, or never."
                            + " Default: chosen for each file.")
    private Boolean direct;

    @Option(
            names = "--chunk-cache",
            paramLabel = "MIB",
            description = "Memory for decoded chunks that are read again, in MiB. Default: none.")
    private Long chunkCacheMebibytes;

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

    /** Opens an engine for a command that reads to the host. */
    ZarrEngine open() {
        return open(false);
    }

    /** Opens an engine. {@code toDevice} says whether chunks are read to a GPU. */
    ZarrEngine open(boolean toDevice) {
        if (io == Io.GDS && !toDevice) {
            throw new ParameterException(
                    command.commandLine(), "--io gds reads to a GPU only (--device)");
        }
        try {
            ZarrEngineBuilder builder = ZarrEngine.builder().io(ZarrEngine.Io.valueOf(io.name()));
            if (threads != null) {
                builder.workers(threads);
            }
            if (memoryMebibytes != null) {
                builder.budgetBytes(bytes("--memory", memoryMebibytes));
            }
            if (chunkCacheMebibytes != null) {
                builder.chunkCacheBytes(bytes("--chunk-cache", chunkCacheMebibytes));
            }
            if (direct != null) {
                builder.caching(direct ? Caching.DIRECT : Caching.BUFFERED);
            }
            return builder.open();
        } catch (IllegalArgumentException e) { // An invalid number.
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private static long bytes(String option, long mebibytes) {
        if (mebibytes > Long.MAX_VALUE >> 20) {
            throw new IllegalArgumentException(option + " is too large");
        }
        return mebibytes << 20;
    }
}
