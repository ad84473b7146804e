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
 * <p>Usage: {@code DeviceBenchmark FOLDER [WORKERS=cores [SECONDS=2 [PLANES=64 [ROUNDS=7
 * [BUDGET_MIB=2048]]]]]}; a plane of the array has 16 MiB. The arrays stay in the folder.
 */
final class DeviceBenchmark {
    private static final PrintStream OUT = System.out; // Allowed: a command of its own

    private static final long[] SHARD = {16, 512, 512, 8};
    private static final long[] INNER = {1, 64, 64, 8}; // 64 KiB
    private static final long[] CROP = {4, 128, 128, 8};
    private static final int CROPS_PER_PLANE = 32;
    private static final Target DEVICE = Target.cuda(0);

    private final ZarrEngine engine;
    private final long[] shape;
    private final int crops;
    private final int seconds;
    private final int rounds;

    private DeviceBenchmark(ZarrEngine engine, int planes, int seconds, int rounds) {
        this.engine = engine;
        this.shape = new long[] {planes, 1024, 1024, 8};
        this.crops = CROPS_PER_PLANE * planes;
        this.seconds = seconds;
        this.rounds = rounds;
    }

    /**
     * Runs the benchmark.
     *
     * @param args see the class
     * @throws IOException if an array cannot be written
     */
    public static void main(String[] args) throws IOException {
        int workers = number(args, 1, Runtime.getRuntime().availableProcessors());
        int seconds = number(args, 2, 2);
        int planes = number(args, 3, 64);
        int rounds = number(args, 4, 7);
        int budgetMiB = number(args, 5, 2048); // an eighth is what the workers read into
        Map<String, CodecSpec[]> kinds = new LinkedHashMap<>();
        kinds.put("zstd", new CodecSpec[] {CodecSpec.bytes(), CodecSpec.zstd(3)});
        kinds.put("none", new CodecSpec[] {CodecSpec.bytes()});
        try (ZarrEngine engine =
                ZarrEngine.builder().workers(workers).budgetBytes((long) budgetMiB << 20).open()) {
            OUT.println(engine.io() + ", " + workers + " workers, " + budgetMiB + " MiB");
            for (var kind : kinds.entrySet()) {
                Path folder = Path.of(args[0]).resolve(kind.getKey());
                var benchmark = new DeviceBenchmark(engine, planes, seconds, rounds);
                benchmark.write(folder, kind.getValue());
                try (ZarrArray array = engine.openArray(folder)) {
                    OUT.printf(
                            "%n%s, ratio %.2f%n",
                            kind.getKey(),
                            (double) array.storedSize().uncompressedBytes()
                                    / array.storedSize().bytes());
                    benchmark.run(array);
                }
            }
        }
    }

    private static int number(String[] args, int index, int otherwise) {
        return index < args.length ? Integer.parseInt(args[index]) : otherwise;
    }

    /** 16 bits of which 7 are random: zstd makes 1.7 times less of them. */
    private void write(Path folder, CodecSpec... inner) throws IOException {
        if (Files.exists(folder.resolve("zarr.json"))) {
            return;
        }
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.INT16, shape)
                        .chunkShape(SHARD)
                        .codecs(List.of(CodecSpec.sharding(INNER, inner)))
                        .build();
        engine.createArray(folder, metadata)
                .writeAll((chunk, elements) -> {
                    SplittableRandom random = new SplittableRandom(Arrays.hashCode(chunk));
                    for (long i = 0; i < elements.byteSize() / 2; i++) {
                        elements.setAtIndex(JAVA_SHORT, i, (short) (4 * random.nextInt(150)));
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
        report(crops + " crops", () -> crops(array, new SplittableRandom(1)));
        steady(
                "crops, " + crops + " at a time",
                array,
                randomCrops(new SplittableRandom(2)),
                crops);
        List<Selection> batch = randomCrops(new SplittableRandom(4));
        report(
                crops + " crops as one read",
                () -> {
                    try (DeviceTensor tensor = array.readAsync(batch, DEVICE).join()) {
                        return tensor.byteSize();
                    }
                });
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
    private void check(ZarrArray array) {
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

    private List<Selection> randomCrops(SplittableRandom random) {
        List<Selection> boxes = new ArrayList<>();
        for (int i = 0; i < crops; i++) {
            long[] offset = new long[shape.length];
            Arrays.setAll(offset, d -> random.nextLong(shape[d] - CROP[d] + 1));
            boxes.add(Selection.box(offset, CROP, new long[] {1, 1, 1, 1}));
        }
        return boxes;
    }

    private long crops(ZarrArray array, SplittableRandom random) {
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
        double[] rates = new double[rounds];
        DeviceMetrics before = engine.deviceMetrics(0);
        for (int i = 0; i < rounds; i++) {
            long begin = System.nanoTime();
            long bytes = work.run();
            rates[i] = (double) bytes / (System.nanoTime() - begin);
        }
        Arrays.sort(rates);
        print(
                name,
                rates[rounds / 2],
                " (" + round(rates[0]) + " to " + round(rates[rounds - 1]) + ")",
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
