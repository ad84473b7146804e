package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes of a document that others change too, or that cannot be written. Fails if one thread
 * writes back the old members of another, or chunks are deleted although the shape stays.
 */
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

    /** A path so long that the name of the temporary file is too long refuses it, also to root. */
    @Test
    void deletesNoChunkIfTheDocumentCannotBeWritten() throws IOException {
        int pathMax = 4096;
        Path deep = folder;
        while (deep.toString().length() < pathMax - 250) {
            deep = deep.resolve("x".repeat(100));
        }
        deep = deep.resolve("x".repeat(pathMax - 40 - deep.toString().length()));
        Files.createDirectories(deep.getParent());
        try (ZarrEngine engine = ZarrEngine.builder().workers(1).open()) {
            Path array = folder.resolve("a");
            engine.createArray(
                            array,
                            ArrayMetadata.builder(NumericType.UINT8, 4).chunkShape(2).build())
                    .writeAll((_, elements) -> elements.fill((byte) 1));
            Files.move(array, deep);
            ArrayWriter writer = engine.openWriter(deep);
            assertThrows(StoreException.class, () -> writer.resize(2));
            assertTrue(Files.exists(deep.resolve("c/1")));
            assertArrayEquals(new long[] {4}, engine.openArray(deep).shape());
        }
    }
}
