package io.zarrengine.cli;

import io.zarrengine.zarr.Capability;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code zarr-engine demo}: measures how fast crops of an array are read, and draws a picture of
 * it.
 */
@Command(
        name = "demo",
        description = "Reads random crops of an array, says how fast, and draws a picture.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    /** By then Java's simple compiler is done (docs/decisions/commands-compile-simply.md). */
    private static final double WARM_UP_SECONDS = 2;

    private static final long PIXELS_ALONG_MAX = 2048;

    @Spec private CommandSpec spec;
    @Mixin private EngineOptions engineOptions;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description =
                    "The array's folder. Default: a sample of 256 MiB, made when first needed.")
    private Path path;

    @Option(
            names = "--output",
            paramLabel = "F.png",
            description = "The picture. Default: demo.png in the cache folder.")
    private Path output;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "How long each rate is measured. Default: 1.")
    private double seconds = 1;

    @Option(
            names = "--tensorstore",
            hidden = true, // set by bin/demo
            description = "A command, word by word, that reads crops with TensorStore.")
    private List<String> tensorStore = List.of();

    private PrintWriter out;

    @Override
    public Integer call() throws IOException {
        out = spec.commandLine().getOut();
        if (!(seconds > 0)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be more than 0");
        }
        if (output == null) {
            output = Files.createDirectories(CacheFolder.path()).resolve("demo.png");
        }
        ResultFile.check(output, ".png");
        try (ZarrEngine engine = engineOptions.open()) {
            say("engine", engine.workers() + " workers, " + capabilities(engine));
            if (path == null) {
                readSamples(engine);
            } else {
                readArray(engine);
            }
        }
        say("next", "bin/zarr-engine demo PATH   the same with an array of yours");
        say("", "bin/zarr-engine info PATH   what an array is, and how it is stored");
        say("", "bin/zarr-engine doctor      what this machine has of what the engine can use");
        return 0;
    }

    private void readSamples(ZarrEngine engine) throws IOException {
        Path cache = CacheFolder.path();
        Map<DemoSample, Path> folders = new EnumMap<>(DemoSample.class);
        for (DemoSample sample : DemoSample.all()) {
            Runnable progress =
                    () -> say("sample", "making 256 MiB, " + sample.title() + ", in " + cache);
            folders.put(sample, sample.make(engine, cache, progress));
        }
        for (Map.Entry<DemoSample, Path> entry : folders.entrySet()) {
            try (ZarrArray array = engine.openArray(entry.getValue())) {
                readSample(engine, array, entry.getKey(), entry.getValue());
            }
        }
        try (ZarrArray array = engine.openArray(folders.get(DemoSample.RAW))) {
            drawPicture(array, output);
        }
    }

    private void readSample(ZarrEngine engine, ZarrArray array, DemoSample sample, Path folder)
            throws IOException {
        DemoRun run = new DemoRun(engine, array, DemoSample.CROP);
        double warm = readCrops(array, run, DemoSample.CROP);
        double amplification = run.check(DemoSample::check);
        say("", "values are checked; " + number(amplification) + " bytes are decoded for each");
        DemoLimit limit = new DemoLimit(engine.workers(), seconds);
        if (sample == DemoSample.ZSTD) {
            sayLimit(limit.decoded(folder) / amplification, "libzstd alone", warm);
        } else {
            sayLimit(limit.copied(), "a copy in memory", warm);
        }
        sayPeer(run, folder, warm);
    }

    private void readArray(ZarrEngine engine) throws IOException {
        try (ZarrArray array = engine.openArray(path)) {
            long[] crop = cropOf(array);
            DemoRun run = new DemoRun(engine, array, crop);
            double warm = readCrops(array, run, crop);
            sayLimit(new DemoLimit(engine.workers(), seconds).copied(), "a copy in memory", warm);
            sayPeer(run, path, warm);
            drawPicture(array, output);
        }
    }

    /** {@return bytes per second after the warm-up} */
    private double readCrops(ZarrArray array, DemoRun run, long[] crop) {
        say("array", array + ", ratio " + number(array.storedSize().ratio()));
        String crops = Arrays.toString(crop) + " at random, " + DemoRun.IN_FLIGHT + " at a time";
        say("first second", rate(run.rate(seconds)) + " of crops of " + crops);
        run.rate(WARM_UP_SECONDS * seconds);
        double warm = run.rate(seconds);
        say("warm second", rate(warm));
        return warm;
    }

    private void sayLimit(double limit, String what, double warm) {
        String share = Math.round(100 * warm / limit) + " %";
        say("limit", rate(limit) + ": " + what + "; the engine reaches " + share);
    }

    private void sayPeer(DemoRun run, Path folder, double warm) throws IOException {
        if (!tensorStore.isEmpty()) {
            run.peer(tensorStore, folder, seconds).ifPresent(peer -> sayPeer(peer, warm));
        }
    }

    private void sayPeer(DemoRun.Peer peer, double warm) {
        String times = number(warm / peer.bytesPerSecond()) + " times as fast";
        String release = " by release " + peer.version();
        say("TensorStore", rate(peer.bytesPerSecond()) + release + "; the engine is " + times);
    }

    private static String rate(double bytesPerSecond) {
        return ArrayText.bytes(Math.round(bytesPerSecond)) + "/s";
    }

    /**
     * Returns the shape of a crop: twice an inner chunk along each dimension, limited by the array.
     */
    private static long[] cropOf(ZarrArray array) {
        long[] shape = array.shape();
        long[] inner = array.innerChunkShape();
        long[] crop = new long[shape.length];
        Arrays.setAll(crop, d -> Math.min(shape[d], 2 * inner[d]));
        return crop;
    }

    /** Draws the two longest dimensions, at index 0 of all others. */
    private void drawPicture(ZarrArray array, Path file) throws IOException {
        long[] shape = array.shape();
        List<Integer> byLength = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            byLength.add(d);
        }
        byLength.sort((a, b) -> Long.compare(shape[b], shape[a]));
        if (shape.length < 2
                || shape[byLength.get(1)] < 2
                || !(array.dataType() instanceof NumericType)) {
            say("picture", "none: the array has no two dimensions of numbers to draw");
            return;
        }
        List<Integer> drawn = byLength.subList(0, 2);
        List<String> parts = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            long step = Math.ceilDiv(shape[d], PIXELS_ALONG_MAX);
            parts.add(drawn.contains(d) ? "::" + step : "0");
        }
        String slice = String.join(",", parts);
        try (HostTensor tensor = array.read(Main.selection(slice))) {
            Picture picture = Picture.of(tensor);
            ResultFile.replace(
                    file, png -> picture.writePng(Colormap.VIRIDIS, picture.fullRange(), png));
        }
        say("picture", file.toAbsolutePath() + " of slice " + slice);
    }

    private static String capabilities(ZarrEngine engine) {
        String io = "read by " + engine.io().name().toLowerCase(Locale.ROOT);
        return Capability.all().stream()
                .filter(c -> c.name().startsWith("lib") && !c.name().equals("liburing"))
                .map(c -> c.name() + (c.available() ? " " + c.detail() : " missing"))
                .collect(Collectors.joining(", ", io + ", ", ""));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private void say(String label, String text) {
        out.println(String.format(Locale.ROOT, "%-13s %s", label, text));
        out.flush();
    }
}
