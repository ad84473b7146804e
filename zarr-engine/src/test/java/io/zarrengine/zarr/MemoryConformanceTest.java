package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the arrays of {@link ConformanceTest} out of a store in memory, and of zip files there. */
final class MemoryConformanceTest extends ConformanceContract {
    @TempDir Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            store.putAll(c.store());
            assertReads(() -> engine.openArray(store, c.path()), c);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            store.putAll(c.store());
            assertRefuses(() -> engine.openArray(store, c.path()), store.name());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsZipFilesExactly(Conformance.Case c) throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            for (int method : List.of(ZipEntry.STORED, ZipEntry.DEFLATED)) {
                store.put("a.zip", Files.readAllBytes(c.zipped(folder, method, method).store()));
                assertReads(() -> engine.openArray(store, "a.zip/" + c.path()), c);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBrokenInAZipFile(Conformance.Case c) throws Exception {
        try (MemoryStore store = MemoryStore.create()) {
            store.put("a.zip", Files.readAllBytes(c.zipped(folder, ZipEntry.STORED).store()));
            assertRefuses(() -> engine.openArray(store, "a.zip/" + c.path()), store.name());
        }
    }
}
