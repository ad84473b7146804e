package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * How fast does the engine bring an array of small inner chunks to a GPU? Unit: GB/s of the array's
 * own bytes. Baseline: {@code gpu_pipeline.cu} on the same files, in the same run.
 *
 * <p>Estimate: 16 workers read at 4 GB/s each and copy what they read at 10 into the slots, so they
 * hand over 46 GB/s of encoded bytes; nvCOMP decodes 38 of them (docs/gpu.md), so at a ratio of 1.7
 * a steady stream runs at 60 GB/s. One read of 1 GB pays for the first slots and the last batch,
 * about 3 ms of 20.
 *
 * <p>Usage: {@code DeviceBenchmark FOLDER [WORKERS [SECONDS]]}. The arrays stay in the folder.
 */
final class DeviceBenchmark {
    private static final PrintStream OUT = System.out; // Allowed: a command of its own

    private static final long[] SHAPE = {64, 1024, 1024, 8};
    private static final long[] SHARD = {16, 512, 512, 8};
    private static final long[] INNER = {1, 64, 64, 8}; // 64 KiB
    private static final long[] CROP = {4, 128, 128, 8};
    private static final int CROPS = 2048;
    private static final int ROUNDS = 7;
    private static final Target DEVICE = Target.cuda(0);

    private final ZarrEngine engine;
    private final long seconds;

    private DeviceBenchmark(ZarrEngine engine, long seconds) {
        this.engine = engine;
        this.seconds = seconds;
    }

    /**
     * Runs the benchmark.
     *
     * @param args see the class
     * @throws IOException if an array cannot be written
     */
    public static void main(String[] args) throws IOException {
        int workers =
                args.length > 1
                        ? Integer.parseInt(args[1])
                        : Runtime.getRuntime().availableProcessors();
        long seconds = args.length > 2 ? Long.parseLong(args[2]) : 2;
        Map<String, CodecSpec[]> kinds = new LinkedHashMap<>();
        kinds.put("zstd", new CodecSpec[] {CodecSpec.bytes(), CodecSpec.zstd(3)});
        kinds.put("none", new CodecSpec[] {CodecSpec.bytes()});
        try (ZarrEngine engine =
                ZarrEngine.builder().workers(workers).budgetBytes(2L << 30).open()) {
            OUT.println(engine.io() + ", " + workers + " workers");
            for (var kind : kinds.entrySet()) {
                Path folder = Path.of(args[0]).resolve(kind.getKey());
                write(engine, folder, kind.getValue());
                try (ZarrArray array = engine.openArray(folder)) {
                    OUT.printf(
                            "%n%s, ratio %.2f%n",
                            kind.getKey(),
                            (double) array.storedSize().uncompressedBytes()
                                    / array.storedSize().bytes());
                    new DeviceBenchmark(engine, seconds).run(array);
                }
            }
        }
    }

    /** Sums of small random steps: 16 bits of which zstd finds some. */
    private static void write(ZarrEngine engine, Path folder, CodecSpec... inner)
            throws IOException {
        if (Files.exists(folder.resolve("zarr.json"))) {
            return;
        }
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, SHAPE)
                        .chunkShape(SHARD)
                        .codecs(List.of(CodecSpec.sharding(INNER, inner)))
                        .build();
        engine.createArray(folder, metadata)
                .writeAll((chunk, elements) -> {
                    SplittableRandom random = new SplittableRandom(Arrays.hashCode(chunk));
                    short value = 0;
                    for (long i = 0; i < elements.byteSize() / 2; i++) {
                        value += (short) (random.nextInt(401) - 200);
                        elements.setAtIndex(JAVA_SHORT, i, value);
                    }
                });
    }

    private void run(ZarrArray array) {
        check(array);
        long bytes = array.bytesOf(Selection.all());
        report(
                "one read of all",
                () -> {
                    try (DeviceTensor _ = array.readAsync(Selection.all(), DEVICE).join()) {
                        return bytes;
                    }
                });
        steady("all, 4 at a time", array, List.of(Selection.all()), 4);
        report(CROPS + " crops", () -> crops(array, new SplittableRandom(1)));
        steady(
                "crops, " + CROPS + " at a time",
                array,
                randomCrops(new SplittableRandom(2)),
                CROPS);
        report(
                "one read of all, to the host",
                () -> {
                    try (HostTensor _ = array.read(Selection.all())) {
                        return bytes;
                    }
                });
        oneChunk(array);
        OUT.println("  " + engine.deviceMetrics(0));
    }

    /** All of the array, and one crop, against the CPU's path. */
    private static void check(ZarrArray array) {
        for (Selection selection :
                List.of(Selection.all(), randomCrops(new SplittableRandom(3)).getFirst())) {
            try (HostTensor expected = array.read(selection);
                    DeviceTensor tensor = array.readAsync(selection, DEVICE).join();
                    HostTensor actual = tensor.toHost()) {
                if (expected.segment().mismatch(actual.segment()) >= 0) {
                    throw new IllegalStateException("the device has other elements");
                }
            }
        }
    }

    private static List<Selection> randomCrops(SplittableRandom random) {
        List<Selection> crops = new ArrayList<>();
        for (int i = 0; i < CROPS; i++) {
            long[] offset = new long[SHAPE.length];
            Arrays.setAll(offset, d -> random.nextLong(SHAPE[d] - CROP[d] + 1));
            crops.add(Selection.box(offset, CROP, new long[] {1, 1, 1, 1}));
        }
        return crops;
    }

    private static long crops(ZarrArray array, SplittableRandom random) {
        long bytes = 0;
        List<CompletableFuture<DeviceTensor>> reads =
                randomCrops(random).stream().map(crop -> array.readAsync(crop, DEVICE)).toList();
        for (CompletableFuture<DeviceTensor> read : reads) {
            try (DeviceTensor tensor = read.join()) {
                bytes += tensor.byteSize();
            }
        }
        return bytes;
    }

    private interface Work {
        long run();
    }

    private void report(String name, Work work) {
        double[] rates = new double[ROUNDS];
        DeviceMetrics before = engine.deviceMetrics(0);
        for (int i = 0; i < ROUNDS; i++) {
            long begin = System.nanoTime();
            long bytes = work.run();
            rates[i] = (double) bytes / (System.nanoTime() - begin);
        }
        Arrays.sort(rates);
        print(
                name,
                rates[ROUNDS / 2],
                " (" + round(rates[0]) + " to " + round(rates[ROUNDS - 1]) + ")",
                before);
    }

    /** Some reads under way at any time. */
    private void steady(String name, ZarrArray array, List<Selection> selections, int atOnce) {
        DeviceMetrics before = engine.deviceMetrics(0);
        ArrayDeque<CompletableFuture<DeviceTensor>> reads = new ArrayDeque<>();
        long bytes = 0;
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        for (int i = 0; System.nanoTime() < end || !reads.isEmpty(); i++) {
            if (System.nanoTime() < end) {
                reads.add(array.readAsync(selections.get(i % selections.size()), DEVICE));
            }
            if (reads.size() >= atOnce || System.nanoTime() >= end) {
                try (DeviceTensor tensor = reads.remove().join()) {
                    bytes += tensor.byteSize();
                }
            }
        }
        print(name, (double) bytes / (System.nanoTime() - begin), "", before);
    }

    private void print(String name, double rate, String range, DeviceMetrics before) {
        DeviceMetrics now = engine.deviceMetrics(0);
        long batches = Math.max(1, now.batches() - before.batches());
        OUT.printf(
                "  %-36s %6.1f GB/s%s; %d chunks a batch, %s%n",
                name,
                rate,
                range,
                (now.chunks() - before.chunks()) / batches,
                engine.takeDeviceTimes(0));
    }

    private static String round(double rate) {
        return "%.1f".formatted(rate);
    }

    private static void oneChunk(ZarrArray array) {
        Selection chunk = Selection.box(new long[4], INNER, new long[] {1, 1, 1, 1});
        long[] nanos = new long[200];
        for (int i = 0; i < nanos.length; i++) {
            long begin = System.nanoTime();
            array.readAsync(chunk, DEVICE).join().close();
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        OUT.printf("  one inner chunk: median %d us%n", nanos[nanos.length / 2] / 1000);
    }
}
