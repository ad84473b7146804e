package io.zarrengine.cli;

import io.zarrengine.zarr.DeviceMetrics;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.VariableLengthType;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zarr-engine bench}: measures how fast the slices of a list are read. */
@Command(
        name = "bench",
        description = "Reads the slices of a list again and again, and measures.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final int IN_FLIGHT_PER_THREAD = 4;

    /** Limit of the reads. The latency of each is kept, which takes 1 GiB for this many. */
    private static final long READS_MAX = 1L << 27;

    @Spec private CommandSpec spec;
    @Mixin private EngineOptions engineOptions;
    @Mixin private TargetOption device;

    @Parameters(paramLabel = "PATH", description = "As for read.")
    private NodeLocation path;

    @Option(
            names = "--slices",
            paramLabel = "FILE",
            required = true,
            description = "One slice a line, as for read.")
    private Path slices;

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description = "Slices that are read at once. Default: 4 for each thread.")
    private Integer inFlight;

    @Option(
            names = "--repeat",
            paramLabel = "R",
            defaultValue = "1",
            description = "How often the list is read. Default: once.")
    private int repeat = 1;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        if (repeat < 1 || (inFlight != null && inFlight < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--repeat and --in-flight must be at least 1");
        }
        try (ZarrEngine engine = engineOptions.open(device.target() != null);
                ZarrArray array = path.openArray(engine)) {
            List<Selection> crops = crops(array);
            int reads = inFlight == null ? IN_FLIGHT_PER_THREAD * engine.workers() : inFlight;
            Map<String, Object> result;
            try (Progress _ = Progress.of(engine, spec.commandLine().getErr())) {
                result = measure(engine, array, crops, reads);
            }
            print(result);
        }
        return 0;
    }

    /** Returns the slices; checks all of them before the first is read. */
    private List<Selection> crops(ZarrArray array) throws IOException {
        if (array.dataType() instanceof VariableLengthType type) {
            throw new IllegalArgumentException(
                    "%s: elements of the type %s have no fixed size, and are not measured"
                            .formatted(path, type.typeName()));
        }
        List<Selection> crops = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(slices)) {
            number++;
            if (!line.isBlank()) {
                crops.add(crop(array, line, number));
            }
        }
        if (crops.isEmpty() || (long) crops.size() * repeat > READS_MAX) {
            throw new IllegalArgumentException(
                    "%s: %d slices, read %d times: that must make 1 to %d reads"
                            .formatted(slices, crops.size(), repeat, READS_MAX));
        }
        return crops;
    }

    private Selection crop(ZarrArray array, String line, int number) {
        try {
            Selection crop = Selection.of(line);
            array.bytesOf(crop);
            return crop;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    slices + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Object> measure(
            ZarrEngine engine, ZarrArray array, List<Selection> crops, int reads) {
        Target target = device.target();
        CropRun run = new CropRun(engine, array, crops, reads, target);
        CropMeasure measure = run.run(repeat, null);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("crops_per_s", measure.cropsPerSecond());
        long bytes = repeat * crops.stream().mapToLong(array::bytesOf).sum();
        DeviceMetrics onDevice = target == null ? null : engine.deviceMetrics(target.device());
        result.put("delivered_gb_per_s", bytes / measure.wallSeconds() / 1e9);
        result.put("encoded_gb_per_s", measure.encodedBytesPerSecond() / 1e9);
        result.put("sub_chunks_per_s", measure.chunksPerSecond());
        result.put("read_amplification", measure.readAmplification(bytesReadBy(onDevice)));
        if (onDevice != null) {
            putDeviceRates(result, onDevice, measure.wallSeconds());
        }
        result.putAll(RequestReport.numbers(measure.requests()));
        CropChecksum checksum = new CropChecksum(crops.size());
        run.run(1, checksum); // In a separate pass, because the checksum would be measured too.
        result.put("p50_ms", measure.latencyMilliseconds(0.50));
        result.put("p99_ms", measure.latencyMilliseconds(0.99));
        result.put("cpu_s", measure.cpuSeconds());
        result.put("wall_s", measure.wallSeconds());
        result.put("threads", engine.workers());
        result.put("io", engine.io().name().toLowerCase(Locale.ROOT));
        if (target != null) {
            result.put("device", target.toString());
        }
        result.put("crc32c", checksum.value());
        return result;
    }

    /** Returns the bytes of files that were not read through the engine's memory. */
    private static long bytesReadBy(DeviceMetrics done) {
        return done == null ? 0 : done.bytesCopiedFromFiles() + done.bytesReadDirectly();
    }

    private static void putDeviceRates(
            Map<String, Object> result, DeviceMetrics done, double seconds) {
        long arrived = done.bytesCopied() + bytesReadBy(done);
        result.put("copied_gb_per_s", arrived / seconds / 1e9);
        result.put("device_chunks_per_s", done.chunks() / seconds);
        result.put("device_decoded_per_s", done.chunksDecoded() / seconds);
        result.put("decoded_by_cpu", done.chunksDecodedByHost());
    }

    private void print(Map<String, Object> result) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(CommandJson.line(result));
        } else {
            result.forEach((name, value) -> out.println(row(name, value)));
        }
        out.flush();
    }

    private static String row(String name, Object value) {
        return value instanceof Double number
                ? String.format(Locale.ROOT, "%-20s %.3f", name, number)
                : String.format(Locale.ROOT, "%-20s %s", name, value);
    }
}
