package io.zarrengine.cli;

import io.zarrengine.zarr.Capability;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code zarr-engine demo}: random crops of an array, and a picture of it. */
@Command(
        name = "demo",
        description = "Reads random crops of an array, says how that went, and draws a picture.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    /** Crops of an array of the user's: as many as make about this much. */
    private static final long RUN_BYTES = 256L << 20;

    private static final int CROPS_MAX = 1000;
    private static final int IN_FLIGHT = 8;
    private static final long SEED = 1;
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

    private PrintWriter out;

    @Override
    public Integer call() throws IOException {
        out = spec.commandLine().getOut();
        if (output == null) {
            output = Files.createDirectories(CacheFolder.path()).resolve("demo.png");
        }
        ResultFile.check(output, ".png");
        try (ZarrEngine engine = engineOptions.open()) {
            boolean sample = path == null;
            try (ZarrArray array = engine.openArray(sample ? sample(engine) : path)) {
                say("array", array + ", ratio " + ratio(array));
                say("engine", engine.workers() + " workers, " + capabilities(engine));
                readCrops(engine, array, sample);
                drawPicture(array, output);
            }
        }
        out.flush();
        return 0;
    }

    private Path sample(ZarrEngine engine) throws IOException {
        Path cache = CacheFolder.path();
        return DemoSample.make(engine, cache, () -> say("sample", "making 256 MiB in " + cache));
    }

    private void readCrops(ZarrEngine engine, ZarrArray array, boolean sample) {
        long[] crop = sample ? DemoSample.CROP : cropOf(array);
        long bytes = array.bytesOf(Selection.box(new long[crop.length], crop));
        int crops = Math.clamp(RUN_BYTES / Math.max(bytes, 1), 1, CROPS_MAX);
        List<long[]> offsets = randomOffsets(array.shape(), crop, crops);
        List<Selection> boxes = offsets.stream().map(o -> Selection.box(o, crop)).toList();
        CropMeasure run =
                new CropRun(engine, array, boxes, IN_FLIGHT)
                        .run(
                                1,
                                (i, elements) -> {
                                    if (sample) {
                                        DemoSample.check(offsets.get(i), elements);
                                    }
                                });
        say(
                "crops",
                String.format(
                                Locale.ROOT,
                                "%d of %s in %.2f s: %s/s delivered, %,.0f sub-chunks/s",
                                crops,
                                Arrays.toString(crop),
                                run.wallSeconds(),
                                ArrayText.bytes((long) run.deliveredBytesPerSecond()),
                                run.chunksPerSecond())
                        + (sample ? ", values checked" : ""));
        say(
                "system calls",
                String.format(
                        Locale.ROOT,
                        "%,d for %,d reads; %.2f bytes decoded for each delivered",
                        run.submissions(),
                        run.reads(),
                        run.decodeAmplification()));
    }

    private static List<long[]> randomOffsets(long[] shape, long[] crop, int crops) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<long[]> offsets = new ArrayList<>();
        for (int i = 0; i < crops; i++) {
            long[] offset = new long[shape.length];
            Arrays.setAll(offset, d -> random.nextLong(shape[d] - crop[d] + 1));
            offsets.add(offset);
        }
        return offsets;
    }

    /** Twice an inner chunk along each dimension, as far as the array goes. */
    private static long[] cropOf(ZarrArray array) {
        long[] shape = array.shape();
        long[] inner = array.innerChunkShape();
        long[] crop = new long[shape.length];
        Arrays.setAll(crop, d -> Math.min(shape[d], 2 * inner[d]));
        return crop;
    }

    /** The two longest dimensions, at the first position along all others. */
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

    private static String ratio(ZarrArray array) {
        return String.format(Locale.ROOT, "%.2f", array.storedSize().ratio());
    }

    private static String capabilities(ZarrEngine engine) {
        String io = "read by " + engine.io().name().toLowerCase(Locale.ROOT);
        return Capability.all().stream()
                .filter(c -> c.name().startsWith("lib") && !c.name().equals("liburing"))
                .map(c -> c.name() + (c.available() ? " " + c.detail() : " missing"))
                .collect(Collectors.joining(", ", io + ", ", ""));
    }

    private void say(String label, String text) {
        out.println(String.format(Locale.ROOT, "%-13s %s", label, text));
        out.flush();
    }
}
