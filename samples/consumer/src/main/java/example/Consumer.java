package example;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Creates a small array in a folder, and reads a part of it. */
final class Consumer {
    private static final int ROWS = 4;
    private static final int COLUMNS = 6;

    private Consumer() {}

    public static void main(String[] arguments) throws IOException {
        Path path = Files.createTempDirectory("consumer").resolve("numbers.zarr");
        // Shards of 2 x 6 elements, which hold inner chunks of 2 x 3.
        CodecSpec shards =
                CodecSpec.sharding(new long[] {2, 3}, CodecSpec.bytes(), CodecSpec.gzip(5));
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.FLOAT32, ROWS, COLUMNS)
                        .chunkShape(2, COLUMNS)
                        .codecs(List.of(shards))
                        .build();
        try (ZarrEngine engine = ZarrEngine.open()) {
            engine.createArray(path, metadata).writeAll(Consumer::fill);
            try (ZarrArray numbers = engine.openArray(path)) {
                // The last two columns of rows 1 and 2, into an array on the heap.
                float[] corner = new float[4];
                numbers.readAsync(Selection.of("1:3, -2:"), MemorySegment.ofArray(corner)).join();
                System.out.println(Arrays.toString(corner));
            }
        }
        where();
    }

    /** Row r has the numbers 10 r, 10 r + 1, and so on. */
    private static void fill(long[] chunk, MemorySegment elements) {
        for (int i = 0; i < 2 * COLUMNS; i++) {
            long row = 2 * chunk[0] + i / COLUMNS;
            elements.setAtIndex(JAVA_FLOAT, i, 10 * row + i % COLUMNS);
        }
    }

    /** bin/release checks this output. */
    private static void where() {
        String path = ZarrEngine.class.getModule().isNamed() ? "module path" : "class path";
        System.out.println(path + ", native access: " + hasNativeAccess());
    }

    private static boolean hasNativeAccess() {
        return ModuleLayer.boot()
                .findModule("io.zarrengine.bindings")
                .orElse(Consumer.class.getModule())
                .isNativeAccessEnabled();
    }
}
