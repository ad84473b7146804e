package io.zarrengine.bench.compare;

import io.zarrengine.bench.Arguments;
import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.report.Median;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads arrays of a store that are kept on disk, beside the same arrays in local files, in turns:
 * {@code bin/bench disk-cache}.
 */
public final class DiskCacheMain {
    private static final List<BenchArray> ARRAYS =
            List.of(BenchArray.SAT_ZSTD, BenchArray.VOL_16_ZSTD, BenchArray.VOL_32_RAW);
    private static final long CACHE_BYTES = 16L << 30;
    private static final int ROUNDS = 5;
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long ROUND_NANOS = 1_000_000_000L;
    private static final int CROPS = 256;
    private static final long SEED = 7;

    private DiskCacheMain() {}

    /** Runs. Options: {@code --folder=} for the arrays and the cache. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Arguments.parse(List.of(arguments), Set.of("folder")).path("folder");
        new ArrayGenerator(folder, null).makeMissing(ARRAYS);
        IO.println("| array | local files GB/s | disk cache GB/s | ratio |");
        IO.println("| --- | --- | --- | --- |");
        try (ZarrEngine engine =
                        ZarrEngine.builder()
                                .diskCache(folder.resolve("disk-cache"), CACHE_BYTES)
                                .open();
                FolderObjectStore store = new FolderObjectStore(folder)) {
            for (BenchArray array : ARRAYS) {
                try (ZarrArray local = engine.openArray(folder.resolve(array.folder()));
                        ZarrArray kept = engine.openArray(store, array.folder())) {
                    compare(array, "whole", List.of(Selection.all()), local, kept);
                    compare(array, "crops", crops(array), local, kept);
                }
            }
            long failures = engine.metrics().diskCache().failures();
            if (failures > 0) {
                throw new IOException("the cache has " + failures + " failures");
            }
        }
    }

    private static List<Selection> crops(BenchArray array) {
        long[] inner = array.innerShape();
        long[] crop = array.shape();
        long[] anywhere = new long[crop.length];
        for (int d = 0; d < crop.length; d++) {
            crop[d] = Math.min(crop[d], 2 * inner[d]);
            anywhere[d] = 1;
        }
        return CropList.random(array.shape(), crop, anywhere, CROPS, SEED).lines().stream()
                .map(Selection::of)
                .toList();
    }

    private static void compare(
            BenchArray array, String what, List<Selection> selections, ZarrArray a, ZarrArray b) {
        long bytes = a.bytesOf(selections);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(bytes, 64);
            rate(a, selections, target, WARM_UP_NANOS);
            rate(b, selections, target, WARM_UP_NANOS);
            List<Double> local = new ArrayList<>();
            List<Double> kept = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                local.add(rate(a, selections, target, ROUND_NANOS));
                kept.add(rate(b, selections, target, ROUND_NANOS));
            }
            double ratio = Median.of(kept) / Median.of(local);
            IO.println(
                    "| %s, %s | %.2f | %.2f | %.2f |"
                            .formatted(
                                    array.folder(),
                                    what,
                                    Median.of(local),
                                    Median.of(kept),
                                    ratio));
        }
    }

    /** {@return GB/s of elements} */
    private static double rate(
            ZarrArray array, List<Selection> selections, MemorySegment target, long nanos) {
        long begin = System.nanoTime();
        long passes = 0;
        while (System.nanoTime() - begin < nanos) {
            array.readAsync(selections, target).join();
            passes++;
        }
        return (double) passes * target.byteSize() / (System.nanoTime() - begin);
    }
}
