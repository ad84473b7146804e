package io.zarrengine.bench.compare;

import io.zarrengine.bench.arrays.BenchArray;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the memory of the engine for few and for very many crops: {@code bin/bench memory}. Each
 * row has its own process.
 */
public final class MemoryMain {
    private static final BenchArray ARRAY = BenchArray.VOL_16_ZSTD;
    private static final int CROPS = 1000; // read repeatedly
    private static final long[] CROP = {4, 4, 4};
    private static final long CROP_BYTES = 4 * 4 * 4; // uint8
    private static final long[] ANYWHERE = {1, 1, 1};

    private MemoryMain() {}

    /**
     * Runs. Options: {@code --folder=} and the programs, as for {@link CompareMain}; {@code files}
     * or {@code http}: those rows alone. The latter need the environment variable BENCH_URL, the
     * URL of the server.
     */
    public static void main(String[] arguments) throws Exception {
        CompareOptions options = CompareOptions.parse(List.of(arguments));
        ArrayGenerator arrays = new ArrayGenerator(options.folder(), options.programs());
        arrays.makeMissing(List.of(ARRAY));
        List<MemoryRow> rows = new ArrayList<>();
        if (isWanted("files", options)) {
            rows.addAll(measure(options, arrays.path(ARRAY)));
        }
        if (isWanted("http", options) && System.getenv("BENCH_URL") != null) {
            Path crops = crops(options);
            rows.add(
                    MemoryRow.ofServer(
                            options.programs(),
                            arrays.path(ARRAY),
                            crops,
                            CROP_BYTES,
                            options.quick()));
        }
        MarkdownTable.memory(rows).forEach(IO::println);
    }

    private static boolean isWanted(String rows, CompareOptions options) {
        return options.words().isEmpty() || options.words().contains(rows);
    }

    /**
     * {@return the rows of files, for an array with small chunks, for which the engine's records
     * would take most memory}
     */
    static List<MemoryRow> measure(CompareOptions options, Path array) throws IOException {
        return MemoryRow.ofFiles(
                options.programs(), array, crops(options), CROP_BYTES, options.quick());
    }

    private static Path crops(CompareOptions options) throws IOException {
        Path crops = options.folder().resolve("crops-memory.txt");
        CropList.random(ARRAY.shape(), CROP, ANYWHERE, CROPS, 0).write(crops);
        return crops;
    }
}
