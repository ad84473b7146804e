package io.zarrengine.cli;

import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.cuda.GpuDirectStorage;
import io.zarrengine.nvcomp.NvcompLibrary;
import io.zarrengine.zarr.Capability;
import io.zarrengine.zarr.diskcache.DiskCache;
import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code zarr-engine doctor}: shows the capabilities of this machine, and how to get the missing
 * ones.
 */
@Command(
        name = "doctor",
        description = "Shows what this machine offers, and why something is missing.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Path KERNEL = Path.of("/proc/sys/kernel/osrelease");
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    @Spec private CommandSpec spec;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        Map<String, Object> machine = machine();
        EngineOptions.diskCache(null)
                .ifPresent(cache -> machine.put("disk cache", describe(cache)));
        List<Capability> capabilities = new ArrayList<>(Capability.all());
        capabilities.add(cuda());
        capabilities.add(nvcomp());
        capabilities.add(gpuDirectStorage());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(CommandJson.lines(toJson(machine, capabilities)));
        } else {
            machine.forEach((name, value) -> out.println(row(" ", name, value.toString())));
            for (Capability c : capabilities) {
                out.println(row(c.available() ? "+" : "-", c.name(), detail(c)));
            }
        }
        out.flush();
        return 0;
    }

    private static String row(String mark, String name, String text) {
        return String.format(Locale.ROOT, "%s %-14s %s", mark, name, text).stripTrailing();
    }

    /**
     * Returns the detail of a capability. Java prints a warning for an incubator module, so the
     * user enables it, not the launcher.
     */
    private static String detail(Capability capability) {
        boolean byLauncher = capability.detail().startsWith("add --add-modules");
        return capability.detail()
                + (byLauncher
                        ? " (export ZARR_ENGINE_JAVA_OPTIONS=--add-modules=jdk.incubator.vector)"
                        : "");
    }

    private static Map<String, Object> toJson(
            Map<String, Object> machine, List<Capability> capabilities) {
        Map<String, Object> object = new LinkedHashMap<>(machine);
        for (Capability c : capabilities) {
            Map<String, Object> finding = new LinkedHashMap<>();
            finding.put("available", c.available());
            finding.put("detail", detail(c));
            object.put(c.name(), finding);
        }
        return object;
    }

    private static Map<String, Object> machine() {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("java", Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
        machine.put("system", System.getProperty("os.name") + " " + firstLine(KERNEL));
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("huge pages", firstLine(HUGE_PAGES));
        machine.put("open files", limit("Max open files"));
        machine.put("locked memory", limit("Max locked memory"));
        return machine;
    }

    private static String describe(DiskCacheOptions cache) {
        long mebibytesMax = cache.bytesMax() >> 20;
        try {
            return DiskCache.bytesIn(cache.folder())
                    .map(bytes ->
                            "%s, %d of %d MiB".formatted(cache.folder(), bytes >> 20, mebibytesMax))
                    .orElse("%s, empty, %d MiB".formatted(cache.folder(), mebibytesMax));
        } catch (IOException e) {
            return cache.folder() + ": " + Main.message(e);
        }
    }

    private static String firstLine(Path file) {
        try {
            return Files.readAllLines(file).getFirst();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Returns the soft limit: a number, or "unlimited". */
    private static Object limit(String name) {
        try {
            return Files.readAllLines(LIMITS).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()).strip().split("\\s+")[0])
                    .findFirst()
                    .<Object>map(text -> text.matches("\\d{1,18}") ? Long.valueOf(text) : text)
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static Capability cuda() {
        return switch (CudaRuntime.status()) {
            case CudaRuntime.Status.Usable usable ->
                    new Capability(
                            "cuda",
                            true,
                            usable.devices()
                                    + " devices, runtime "
                                    + CudaRuntime.version(usable.runtimeVersion())
                                    + ", driver for "
                                    + CudaRuntime.version(usable.driverVersion()));
            case CudaRuntime.Status.Unusable unusable ->
                    new Capability("cuda", false, unusable.reason());
        };
    }

    private static Capability nvcomp() {
        return switch (NvcompLibrary.status()) {
            case NvcompLibrary.Status.Usable usable ->
                    new Capability(
                            "nvcomp",
                            true,
                            NvcompLibrary.version(usable.version())
                                    + ": "
                                    + String.join(", ", usable.formats()));
            case NvcompLibrary.Status.Unusable unusable ->
                    new Capability("nvcomp", false, unusable.reason());
        };
    }

    /**
     * Returns the capability. Only engines opened with GPUDirect Storage use it, for uncompressed
     * chunks that go to a GPU.
     */
    private static Capability gpuDirectStorage() {
        return switch (GpuDirectStorage.status()) {
            case GpuDirectStorage.Status.Usable usable ->
                    new Capability(
                            "gds",
                            usable.isDirect(),
                            "cuFile "
                                    + GpuDirectStorage.version(usable.version())
                                    + (usable.isDirect() ? "" : ", by way of the host's memory")
                                    + "; reads with --io gds use it");
            case GpuDirectStorage.Status.Unusable unusable ->
                    new Capability("gds", false, unusable.reason());
        };
    }
}
