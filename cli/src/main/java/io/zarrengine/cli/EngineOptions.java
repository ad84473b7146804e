package io.zarrengine.cli;

import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrEngineBuilder;
import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of every subcommand that reads chunks. */
final class EngineOptions {
    private static final String DISK_CACHE = "ZARR_ENGINE_DISK_CACHE";

    @Option(
            names = "--io",
            paramLabel = "WAY",
            defaultValue = "AUTO",
            description =
                    "How files are read: auto, uring, pread, channel; gds: uncompressed chunks with"
                            + " GPUDirect Storage, for --device. Default: auto.")
    private ZarrEngine.Io io = ZarrEngine.Io.AUTO;

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
            names = "--disk-cache",
            paramLabel = "FOLDER[:SIZE[:AGE]]",
            description =
                    "Keeps there what is read from URLs; SIZE as 500M, 20G or 1T; AGE as 7d, 12h"
                            + " or 30m: for so long no server is asked for changes. Default:"
                            + " ZARR_ENGINE_DISK_CACHE; 10G; 0.")
    private String diskCache;

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
        if (io == ZarrEngine.Io.GDS && !toDevice) {
            throw new ParameterException(
                    command.commandLine(), "--io gds reads to a GPU only (--device)");
        }
        try {
            ZarrEngineBuilder builder = ZarrEngine.builder().io(io);
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
            diskCache(diskCache)
                    .ifPresent(cache ->
                            builder.diskCache(cache.folder(), cache.bytesMax())
                                    .diskCacheMaxAge(cache.maxAge()));
            return builder.open();
        } catch (IllegalArgumentException e) { // An invalid number.
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** {@return the cache that an option or else the environment names; empty if none does} */
    static Optional<DiskCacheOptions> diskCache(String option) {
        return Optional.ofNullable(option)
                .or(() -> Optional.ofNullable(System.getenv(DISK_CACHE)))
                .filter(text -> !text.isEmpty())
                .map(DiskCacheOptions::parse);
    }

    private static long bytes(String option, long mebibytes) {
        if (mebibytes > Long.MAX_VALUE >> 20) {
            throw new IllegalArgumentException(option + " is too large");
        }
        return mebibytes << 20;
    }
}
