package io.zarrengine.bench.gpu;

import static io.zarrengine.bench.compare.MarkdownTable.number;

import io.zarrengine.bench.gpu.GpuResult.Latency;
import io.zarrengine.bench.report.Median;
import io.zarrengine.zarr.DeviceTensor;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.Target;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderBuilder;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Measures reads of one array to a GPU through the engine. Compares the elements with those of the
 * CPU's path before it measures. Owner: one thread.
 */
final class EngineRows {
    private static final long[] CROP = {4, 128, 128, 8};
    private static final int LATENCY_READS = 1000;
    private static final int LATENCY_WARM_UP = 300;
    private static final int STEADY_ROUNDS = 3;
    private static final int STEPS_AHEAD = 2;
    private static final int STEPS_OF_A_SAMPLE = 4;

    /** Target, as a share of what both processors can decode or the link can transfer. */
    private static final double BOTH_SHARE = 0.9;

    private static final double DRIVE_SHARE = 0.95;

    /** Target for the elements that a device decodes, in GB/s. */
    private static final double DECODED_AIM = 60;

    /** Target for transformed batches, as a share of those that are not. */
    private static final double TRANSFORMED_SHARE = 0.95;

    private static final Transform LOGARITHMS =
            Transform.identity().clip(0, 1e9).log1p().cast(NumericType.BFLOAT16);

    /** USER_HZ, the unit of the kernel's times. */
    private static final double TICKS_PER_SECOND = 100;

    private final ZarrArray array;
    private final long[] shape;
    private final GpuOptions options;
    private final GpuLimits limits;
    private final long[] chunkShape;
    private final int chunkBytes; // before conversion
    private final double share; // target of a steady stream
    private final double onceShare; // target of one read
    private final boolean hasZstdAims;
    // elements' bytes for each byte of the limits, which convert nothing
    private final int widening;
    private final List<Target> targets;
    private double hostMicrosPerChunk; // in a steady stream to one GPU
    private double microsPerChunk; // in the latest stream

    /** Prepares the reads. {@code files} are the array's. */
    EngineRows(
            ZarrArray array,
            GpuOptions options,
            GpuLimits limits,
            GpuArray files,
            List<Target> targets) {
        this.array = array;
        this.shape = array.metadata().shape();
        this.options = options;
        this.limits = limits;
        chunkShape = files.innerShape();
        chunkBytes = files.innerBytes();
        share = files.encoding().steadyShare();
        onceShare = files.encoding().onceShare();
        hasZstdAims = files.encoding() == GpuEncoding.ZSTD;
        widening = files.encoding().widening();
        this.targets = targets;
    }

    List<GpuRow> measure() throws IOException {
        check(Selection.all());
        List<Selection> crops = randomCrops(new SplittableRandom(1));
        check(crops.getFirst());
        boolean isDecoded = !Double.isNaN(limits.copyAndDecode());
        List<GpuRow> rows = new ArrayList<>();
        List<Double> steady = steadyRounds(this::readAll, tensor -> arrived(List.of(tensor)));
        hostMicrosPerChunk = microsPerChunk;
        rows.add(
                new GpuRow(
                        GpuRow.ALL,
                        steady,
                        widening * share * limits.slowerHalf(),
                        share + " of the slower half"));
        rows.add(
                new GpuRow(
                        "all, one read",
                        repeated(this::all),
                        widening * onceShare * limits.pipelineOnce(),
                        Double.isNaN(onceShare)
                                ? ""
                                : number(onceShare) + " of the pipeline, once"));
        rows.add(
                new GpuRow(
                        crops.size() + " " + GpuRow.CROPS,
                        repeated(() -> batch(crops)),
                        Double.NaN,
                        ""));
        rows.add(
                new GpuRow(
                        crops.size() + " crops at once",
                        repeated(() -> each(crops)),
                        Double.NaN,
                        ""));
        GpuRow loaded = loaded(crops, "", Optional.empty());
        rows.add(loaded);
        Transform normalize = Transform.identity().normalize(100, 30);
        rows.add(transformed(crops, ", to float32", normalize, loaded));
        rows.add(transformed(crops, ", log1p, bfloat16", LOGARITHMS, loaded));
        GpuRow host = new GpuRow("all, to the host", repeated(this::toHost), Double.NaN, "");
        rows.add(host);
        if (isDecoded) {
            rows.add(1, bothProcessors(steady, host.median()));
        }
        if (hasZstdAims) {
            rows.add(1, new GpuRow("the same, as it is", steady, DECODED_AIM, "GB/s"));
        }
        if (targets.size() > 1) {
            rows.add(
                    new GpuRow(
                            "all, over " + targets.size() + " GPUs, " + GpuRow.AT_A_TIME,
                            steadyRounds(this::readOverAll, EngineRows::arrived),
                            Double.NaN,
                            ""));
        }
        return rows;
    }

    /**
     * Returns the steady stream with another target: the sum of both processors, if reading allows
     * it.
     */
    private GpuRow bothProcessors(List<Double> steady, double host) {
        double both = widening * limits.copyAndDecode() + host;
        return new GpuRow(
                "the same, both processors",
                steady,
                BOTH_SHARE * Math.min(both, widening * limits.readAndCopy()),
                BOTH_SHARE + " of copy and decode plus the host, or of read and copy");
    }

    /**
     * Measures a steady stream of the whole array, by an engine that reads around the page cache,
     * in turns with the drive alone and with threads that only read and copy. Many drives are fast
     * for some amount of data and slow after it, so each turn is compared with its own drive.
     *
     * @param way the engine's way of reading
     * @param drive measures the drive alone
     * @param copies destination whose reads a GPU copies
     * @param ratio bytes of elements by encoded bytes
     */
    GpuRow aroundTheCache(String way, DriveReads drive, DriveCopies copies, double ratio)
            throws IOException {
        check(Selection.all());
        ToLongFunction<DeviceTensor> arrived = tensor -> arrived(List.of(tensor));
        steady(this::readAll, arrived); // Warms up.
        List<Double> rates = new ArrayList<>();
        List<Double> alone = new ArrayList<>(); // encoded GB/s
        List<Double> copied = new ArrayList<>(); // likewise
        double busyMillis = 0;
        double cpuSeconds = 0;
        double nanos = 0;
        int rounds = options.rounds() + options.rounds() % 2; // an even number, for both orders
        // The engine is between the others, which take turns to be first.
        for (int i = 0; i < rounds; i++) {
            if (i % 2 == 0) {
                alone.add(drive.rate(options.seconds()));
            } else {
                copied.add(drive.rate(options.seconds(), copies));
            }
            double busyBefore = drive.load().busyMillis();
            double cpuBefore = cpuSeconds();
            long begin = System.nanoTime();
            rates.add(steady(this::readAll, arrived));
            nanos += System.nanoTime() - begin;
            cpuSeconds += cpuSeconds() - cpuBefore;
            busyMillis += drive.load().busyMillis() - busyBefore;
            if (i % 2 == 0) {
                copied.add(drive.rate(options.seconds(), copies));
            } else {
                alone.add(drive.rate(options.seconds()));
            }
        }
        double slowerHalf = widening * limits.slowerHalf();
        double share =
                medianOf(rounds, i -> rates.get(i) / Math.min(alone.get(i) * ratio, slowerHalf));
        double rate = Median.of(rates);
        return new GpuRow(
                "all, " + way + ", " + GpuRow.AT_A_TIME,
                rates,
                DRIVE_SHARE * rate / share,
                "%s of the drive in turns, %.2f GB/s, threads that copy what they read get %.2f of it; it is busy %.0f %% of the time, and %.1f cores are"
                        .formatted(
                                DRIVE_SHARE,
                                Median.of(alone),
                                medianOf(rounds, i -> copied.get(i) / alone.get(i)),
                                100 * busyMillis * 1e6 / nanos,
                                1e9 * cpuSeconds / nanos));
    }

    private static double medianOf(int rounds, IntToDoubleFunction ofRound) {
        return Median.of(IntStream.range(0, rounds).mapToDouble(ofRound));
    }

    double hostMicrosPerChunk() {
        return hostMicrosPerChunk;
    }

    private void check(Selection selection) {
        try (HostTensor expected = array.read(selection);
                DeviceTensor tensor = array.readAsync(selection, targets.getFirst()).join();
                HostTensor actual = tensor.toHost()) {
            if (expected.segment().mismatch(actual.segment()) >= 0) {
                throw new IllegalStateException("the device has other elements");
            }
        }
    }

    private List<Selection> randomCrops(SplittableRandom random) {
        List<Selection> boxes = new ArrayList<>();
        long[] crop = CROP.clone();
        Arrays.setAll(crop, d -> Math.min(CROP[d], shape[d]));
        for (int i = 0; i < options.crops(); i++) {
            long[] offset = new long[shape.length];
            Arrays.setAll(offset, d -> random.nextLong(shape[d] - crop[d] + 1));
            boxes.add(Selection.box(offset, crop, new long[] {1, 1, 1, 1}));
        }
        return boxes;
    }

    private Selection randomChunk(SplittableRandom random) {
        long[] offset = new long[shape.length];
        Arrays.setAll(offset, d -> chunkShape[d] * random.nextLong(shape[d] / chunkShape[d]));
        return Selection.box(offset, chunkShape, new long[] {1, 1, 1, 1});
    }

    private interface Work {
        /** Returns the bytes that arrived. */
        long run();
    }

    private List<Double> repeated(Work work) {
        long warm = System.nanoTime() + (long) (options.seconds() * 1e9);
        do {
            work.run();
        } while (System.nanoTime() < warm);
        List<Double> rates = new ArrayList<>();
        for (int i = 0; i < options.rounds(); i++) {
            long begin = System.nanoTime();
            long bytes = work.run();
            rates.add((double) bytes / (System.nanoTime() - begin));
        }
        return rates;
    }

    private long all() {
        try (DeviceTensor tensor = array.readAsync(Selection.all(), targets.getFirst()).join()) {
            return tensor.byteSize();
        }
    }

    private long toHost() {
        try (HostTensor tensor = array.read(Selection.all())) {
            return tensor.segment().byteSize();
        }
    }

    private long batch(List<Selection> crops) {
        try (DeviceTensor tensor = array.readAsync(crops, targets.getFirst()).join()) {
            return tensor.byteSize();
        }
    }

    /** Measures like a training loop: the time of a step is that between two results. */
    private GpuRow loaded(List<Selection> crops, String name, Optional<Transform> transform) {
        Sampler endless = number -> crops.get((int) (number % crops.size()));
        LoaderBuilder ahead =
                Loader.of(Map.of("x", array), endless).prefetch(STEPS_AHEAD).batch(crops.size());
        transform.ifPresent(steps -> ahead.output("x", "x", steps));
        try (Loader<DeviceTensor> loader = ahead.open(targets.getFirst())) {
            Iterator<Batch<DeviceTensor>> steps = loader.iterator();
            return new GpuRow(
                    "%d crops a step, %d steps ahead%s".formatted(crops.size(), STEPS_AHEAD, name),
                    repeated(() -> take(steps)),
                    Double.NaN,
                    "");
        }
    }

    /** Counts the bytes that are read, so that the rates compare with those without a transform. */
    private GpuRow transformed(
            List<Selection> crops, String name, Transform transform, GpuRow without) {
        GpuRow row = loaded(crops, name, Optional.of(transform));
        return new GpuRow(
                row.work(),
                row.samples(),
                TRANSFORMED_SHARE * without.median(),
                TRANSFORMED_SHARE + " of the same without");
    }

    private long take(Iterator<Batch<DeviceTensor>> steps) {
        long elements = 0;
        for (int i = 0; i < STEPS_OF_A_SAMPLE; i++) {
            elements += Arrays.stream(steps.next().tensor().shape()).reduce(1, (a, b) -> a * b);
        }
        return elements * array.dataType().byteSize();
    }

    private long each(List<Selection> crops) {
        long bytes = 0;
        List<CompletableFuture<DeviceTensor>> reads =
                crops.stream().map(crop -> array.readAsync(crop, targets.getFirst())).toList();
        for (CompletableFuture<DeviceTensor> read : reads) {
            bytes += arrived(List.of(read.join()));
        }
        return bytes;
    }

    private CompletableFuture<DeviceTensor> readAll() {
        return array.readAsync(Selection.all(), targets.getFirst());
    }

    /** Reads a part of the rows of all planes to each GPU. */
    private CompletableFuture<List<DeviceTensor>> readOverAll() {
        long parts = targets.size();
        List<Selection> boxes =
                IntStream.range(0, targets.size())
                        .mapToObj(i ->
                                Selection.of(
                                        ":, %d:%d"
                                                .formatted(
                                                        i * shape[1] / parts,
                                                        (i + 1) * shape[1] / parts)))
                        .toList();
        return array.readAsync(boxes, targets);
    }

    /** Returns the bytes that arrived. */
    private static long arrived(List<DeviceTensor> tensors) {
        long bytes = 0;
        for (DeviceTensor tensor : tensors) {
            bytes += tensor.byteSize();
            tensor.close();
        }
        return bytes;
    }

    private <T> List<Double> steadyRounds(
            Supplier<CompletableFuture<T>> read, ToLongFunction<T> arrived) throws IOException {
        steady(read, arrived); // Warms up.
        List<Double> rates = new ArrayList<>();
        for (int i = 0; i < STEADY_ROUNDS; i++) {
            rates.add(steady(read, arrived));
        }
        return rates;
    }

    /** Returns the rate with several reads in progress at any time. */
    private <T> double steady(Supplier<CompletableFuture<T>> read, ToLongFunction<T> arrived)
            throws IOException {
        ArrayDeque<CompletableFuture<T>> reads = new ArrayDeque<>();
        long bytes = 0;
        double cpu = cpuSeconds();
        long begin = System.nanoTime();
        long end = begin + (long) (options.seconds() * 1e9);
        while (System.nanoTime() < end || !reads.isEmpty()) {
            if (System.nanoTime() < end) {
                reads.add(read.get());
            }
            if (reads.size() >= GpuRow.READS_AT_ONCE || System.nanoTime() >= end) {
                bytes += arrived.applyAsLong(reads.remove().join());
            }
        }
        double rate = (double) bytes / (System.nanoTime() - begin);
        double chunks = (double) bytes / chunkBytes;
        microsPerChunk = 1e6 * (cpuSeconds() - cpu) / chunks;
        return rate;
    }

    /** Returns the CPU time of all threads of this process. */
    private static double cpuSeconds() throws IOException {
        String line = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" "); // from the state on
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** Measures the latency of single inner chunks, with nothing else in progress. */
    Latency latency() {
        SplittableRandom random = new SplittableRandom(2);
        double[] micros = new double[LATENCY_READS];
        for (int i = -LATENCY_WARM_UP; i < micros.length; i++) {
            Selection chunk = randomChunk(random);
            long begin = System.nanoTime();
            array.readAsync(chunk, targets.getFirst()).join().close();
            if (i >= 0) {
                micros[i] = (System.nanoTime() - begin) / 1e3;
            }
        }
        Arrays.sort(micros);
        return new Latency(micros[micros.length / 2], micros[micros.length * 99 / 100]);
    }

    /** Returns a line for each batch of one read of the whole array. */
    List<String> timeline() throws IOException {
        return Timeline.of(this::all);
    }
}
