package io.zarrengine.bench.start;

import io.zarrengine.bench.compare.CropList;
import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program that is measured: opens an engine and an array, reads one crop, then many. Prints the
 * seconds of each, and the CPU seconds of the process by kind of thread, in one line.
 */
public final class FirstRead {
    /** What a line says, in order. */
    static final List<String> COLUMNS =
            List.of("open", "openArray", "first read", "256 crops", "main", "workers", "C1", "C2");

    private static final int CROPS = 256;
    private static final long[] CROP = {4, 128, 128, 8};
    private static final long[] ANYWHERE = {1, 1, 1, 1};
    private static final long SEED = 7;

    private FirstRead() {}

    /** Runs: the array, four-dimensional. */
    public static void main(String[] arguments) throws IOException {
        List<Double> seconds = new ArrayList<>();
        long begin = System.nanoTime();
        try (ZarrEngine engine = ZarrEngine.open()) {
            begin = add(seconds, begin);
            try (ZarrArray array = engine.openArray(Path.of(arguments[0]))) {
                begin = add(seconds, begin);
                try (HostTensor _ = array.read(Selection.of("0:4, :128, :128, :"))) {
                    add(seconds, begin);
                }
                List<Selection> crops = crops(array.shape());
                begin = System.nanoTime();
                try (HostTensor _ = array.read(crops)) {
                    add(seconds, begin);
                }
                seconds.addAll(ThreadTimes.now().seconds()); // before the workers end
            }
        }
        StringBuilder line = new StringBuilder();
        seconds.forEach(one -> line.append(one).append(' '));
        IO.println(line.toString().trim());
    }

    private static long add(List<Double> seconds, long begin) {
        long now = System.nanoTime();
        seconds.add((now - begin) / 1e9);
        return System.nanoTime();
    }

    private static List<Selection> crops(long[] shape) {
        return CropList.random(shape, CROP, ANYWHERE, CROPS, SEED).lines().stream()
                .map(Selection::of)
                .toList();
    }
}
