package io.zarrengine.bench.report;

import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine of a comparison.
 *
 * @param cores usable cores
 * @param processor its name, from the kernel
 * @param memoryBytes of the machine
 * @param kernel its release
 * @param fileSystem of the arrays
 * @param ring io_uring, or why the engine reads without it
 */
public record Machine(
        int cores,
        String processor,
        long memoryBytes,
        String kernel,
        String fileSystem,
        String ring) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    /** {@return this machine, with arrays in a folder} */
    public static Machine here(Path arrays) throws IOException {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                field(PROCESSORS, "model name"),
                1024 * Long.parseLong(field(MEMORY, "MemTotal").split(" ")[0]),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Files.getFileStore(arrays).type(),
                ReadBackend.unavailabilityCause(ReadBackend.Method.IO_URING)
                        .map(cause -> "no io_uring (" + cause + ")")
                        .orElse("io_uring"));
    }

    /** Returns a field of a file with lines {@code name : value}. */
    private static String field(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }

    @Override
    public String toString() {
        return "%d cores, %s, %.0f GiB of memory, %s, %s, %s"
                .formatted(
                        cores,
                        processor,
                        memoryBytes / (double) (1 << 30),
                        kernel,
                        fileSystem,
                        ring);
    }
}
