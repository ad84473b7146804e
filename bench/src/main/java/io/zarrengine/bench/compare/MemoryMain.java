package io.zarrengine.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What memory the engine takes for few and for very many crops: {@code bin/bench memory}. Each row
 * is measured in a process of its own.
 */
public final class MemoryMain {
    private static final BenchArray ARRAY = BenchArray.VOL_16_ZSTD;
    private static final int CROPS = 1000; // They are read again and again.
    private static final long[] CROP = {4, 4, 4};
    private static final long CROP_BYTES = 4 * 4 * 4; // uint8
    private static final long[] ANYWHERE = {1, 1, 1};

    private MemoryMain() {}

    /** Options: {@code --folder=} and the programs, as {@link CompareMain} takes them. */
    public static void main(String[] arguments) throws Exception {
        CompareOptions options = CompareOptions.parse(List.of(arguments));
        ArrayGenerator arrays = new ArrayGenerator(options.folder(), options.programs());
        arrays.makeMissing(List.of(ARRAY));
        MarkdownTable.memory(measure(options, arrays.path(ARRAY))).forEach(IO::println);
    }

    /** {@return all rows, of an array whose small chunks make most of what could pile up} */
    static List<MemoryRow> measure(CompareOptions options, Path array) throws IOException {
        Path crops = options.folder().resolve("crops-memory.txt");
        CropList.random(ARRAY.shape(), CROP, ANYWHERE, CROPS, 0).write(crops);
        return MemoryRow.measure(options.programs(), array, crops, CROP_BYTES, options.quick());
    }
}
