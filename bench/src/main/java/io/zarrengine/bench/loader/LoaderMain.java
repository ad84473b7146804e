package io.zarrengine.bench.loader;

import io.zarrengine.bench.Arguments;
import io.zarrengine.bench.report.Median;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.loader.Sampler;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Prints the rate of a loader, in bytes read, beside the engine alone and beside a loader without
 * transforms. The rows of an array take turns; a ratio is the median of those of the rounds.
 */
public final class LoaderMain {
    private final Path folder;
    private final int rounds;
    private final double seconds;
    private final PrintStream out;

    private LoaderMain(Arguments arguments, PrintStream out) {
        this.folder = arguments.path("folder");
        this.rounds = Integer.parseInt(arguments.get("rounds", "7"));
        this.seconds = Double.parseDouble(arguments.get("seconds", "0.5"));
        this.out = out;
    }

    /** Runs the program: {@code --folder=FOLDER [--rounds=N] [--seconds=S] [ARRAY ...]}. */
    public static void main(String[] arguments) {
        Arguments parsed =
                Arguments.parse(List.of(arguments), Set.of("folder", "rounds", "seconds"));
        new LoaderMain(parsed, System.out).run(parsed.words()); // Allowed: prints the report
    }

    private void run(List<String> names) {
        out.println("| array | | GB/s | beside | ratio |");
        out.println("| --- | --- | --: | --- | --: |");
        try (ZarrEngine engine = ZarrEngine.open()) {
            for (LoaderArray one : LoaderArray.ALL) {
                if (names.isEmpty() || names.contains(one.name())) {
                    try (ZarrArray array = one.open(engine, folder)) {
                        measure(one.name(), array);
                    }
                }
            }
        }
    }

    private void measure(String name, ZarrArray array) {
        Sampler crops = Sampler.crops(array.shape(), new long[] {1, 256, 256}, 1);
        List<LoaderRow> rows = LoaderRow.of(array);
        Map<String, List<Double>> rates = new HashMap<>();
        for (int round = -2; round < rounds; round++) { // the first two warm up
            for (LoaderRow row : rows) {
                double rate = rate(array, crops, row);
                if (round >= 0) {
                    rates.computeIfAbsent(row.name(), _ -> new ArrayList<>()).add(rate);
                }
            }
        }
        for (LoaderRow row : rows) {
            List<Double> own = rates.get(row.name());
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                ratios.add(own.get(i) / rates.get(row.base()).get(i));
            }
            out.printf(
                    "| %s | %s | %.2f | %s | %.2f |%n",
                    name, row.name(), Median.of(own), row.base(), Median.of(ratios));
        }
    }

    /** {@return the rate in GB/s} */
    private double rate(ZarrArray array, Sampler crops, LoaderRow row) {
        long bytes = LoaderRow.BATCH * array.bytesOf(crops.get(0));
        try (LoaderRow.Running running = row.batches().start(array, crops)) {
            for (int i = 0; i < LoaderRow.PREFETCH; i++) {
                running.take();
            }
            long begin = System.nanoTime();
            long taken = 0;
            do {
                running.take();
                taken++;
            } while (System.nanoTime() - begin < seconds * 1e9);
            return (double) taken * bytes / (System.nanoTime() - begin);
        }
    }
}
