package io.zarrengine.cli;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads random crops of an array and measures the rate, also before Java has compiled the engine.
 */
final class DemoRun {
    static final int IN_FLIGHT = 8;

    private static final long SEED = 1;
    private static final int CROPS_MAX = 1000;

    /** The crops are read repeatedly; their total size is about this. */
    private static final long CROPS_BYTES = 256L << 20;

    /**
     * Between two passes over the crops nothing is in flight, so a second has only a few passes.
     */
    private static final double SECONDS_PER_RUN = 0.2;

    private static final int PASSES_MAX = 1000;

    private final long[] crop;
    private final List<long[]> offsets;
    private final CropRun run;

    /** Checks the elements of a crop. */
    @FunctionalInterface
    interface Check {
        void of(long[] offset, MemorySegment elements);
    }

    /** The rate of TensorStore. */
    record Peer(String version, double bytesPerSecond) {}

    DemoRun(ZarrEngine engine, ZarrArray array, long[] crop) {
        this.crop = crop.clone();
        long bytes = array.bytesOf(Selection.box(new long[crop.length], crop));
        int count = Math.clamp(CROPS_BYTES / Math.max(bytes, 1), 1, CROPS_MAX);
        offsets = randomOffsets(array.shape(), crop, count);
        List<Selection> crops = offsets.stream().map(at -> Selection.box(at, crop)).toList();
        run = new CropRun(engine, array, crops, IN_FLIGHT);
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

    /** {@return bytes delivered per second, measured for about this many seconds} */
    double rate(double secondsMin) {
        double bytes = 0;
        double seconds = 0;
        int passes = 1;
        do {
            CropMeasure measure = run.run(passes, null);
            seconds += measure.wallSeconds();
            bytes += measure.deliveredBytesPerSecond() * measure.wallSeconds();
            double wanted = passes * SECONDS_PER_RUN * secondsMin / measure.wallSeconds();
            passes = (int) Math.clamp(wanted, 1, PASSES_MAX);
        } while (seconds < secondsMin);
        return bytes / seconds;
    }

    /** Reads each crop once. {@return bytes decoded for each byte delivered} */
    double check(Check check) {
        return run.run(1, (i, elements) -> check.of(offsets.get(i), elements))
                .decodeAmplification();
    }

    /**
     * {@return the rate of TensorStore for the same crops; empty if it cannot read them}
     *
     * @param command runs TensorStore; gets the array's folder, a file of crops, and seconds as
     *     arguments; writes one line
     * @param seconds duration of the measurement of each way of reading
     */
    Optional<Peer> peer(List<String> command, Path folder, double seconds) throws IOException {
        Path crops = Files.createTempFile("crops-", ".txt");
        try {
            Files.write(crops, offsets.stream().map(this::line).toList());
            List<String> words = new ArrayList<>(command);
            words.addAll(List.of(folder.toString(), crops.toString(), Double.toString(seconds)));
            Process process =
                    new ProcessBuilder(words)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (BufferedReader answer = process.inputReader()) {
                return Optional.ofNullable(answer.readLine())
                        .map(line -> line.split("\t"))
                        .map(parts -> new Peer(parts[0], Double.parseDouble(parts[1])));
            }
        } finally {
            Files.delete(crops);
        }
    }

    private String line(long[] offset) {
        return IntStream.range(0, crop.length)
                .mapToObj(d -> offset[d] + ":" + (offset[d] + crop[d]))
                .collect(Collectors.joining(","));
    }
}
