package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of one document by several threads. Fails if one of them writes back old members. */
final class DocumentChangesTest {
    private static final int CHANGES = 200;

    @TempDir private Path folder;

    private static Callable<Void> resizes(ZarrEngine engine, Path path) {
        return () -> {
            ArrayWriter writer = engine.openWriter(path);
            for (int i = 1; i <= CHANGES; i++) {
                writer.resize(i);
                assertArrayEquals(new long[] {i}, engine.openArray(path).shape());
            }
            return null;
        };
    }

    private static Callable<Void> setsAttributes(ZarrEngine engine, Path path) {
        return () -> {
            for (long i = 1; i <= CHANGES; i++) {
                engine.setAttributes(path, Map.of("n", i));
                assertEquals(Map.of("n", i), engine.openArray(path).attributes());
            }
            return null;
        };
    }

    /** The engines name the array differently, so that a lock of either is not enough. */
    @Test
    void threadsKeepEachOthersChanges() throws Exception {
        Path array = folder.resolve("a");
        Path link = Files.createSymbolicLink(folder.resolve("link"), array);
        try (ZarrEngine one = ZarrEngine.builder().workers(1).open();
                ZarrEngine other = ZarrEngine.builder().workers(1).open();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            one.createArray(array, ArrayMetadata.builder(NumericType.UINT8, 1).build());
            Future<Void> resized = threads.submit(resizes(one, array));
            Future<Void> attributed = threads.submit(setsAttributes(other, link));
            resized.get();
            attributed.get();
        }
    }
}
