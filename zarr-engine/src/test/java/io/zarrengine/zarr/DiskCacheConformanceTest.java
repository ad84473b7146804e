package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.MemoryStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads the arrays of {@link ConformanceTest} out of a store whose objects are kept on disk, then
 * from the disk. Fault: a read differs there in its bounds, its errors or its missing chunks.
 */
final class DiskCacheConformanceTest extends ConformanceContract {
    @TempDir static Path folder;

    @Override
    ZarrEngine newEngine() {
        return ZarrEngine.builder().diskCache(folder, 1L << 30).open();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        try (MemoryStore objects = MemoryStore.create()) {
            objects.putAll(c.store());
            CountedStore store = new CountedStore(objects, "test://" + c);
            for (int i = 0; i < 2; i++) {
                assertReads(() -> engine.openArray(store, c.path()), c);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        try (MemoryStore objects = MemoryStore.create()) {
            objects.putAll(c.store());
            CountedStore store = new CountedStore(objects, "test://" + c);
            for (int i = 0; i < 2; i++) {
                assertRefuses(() -> engine.openArray(store, c.path()), store.name());
            }
        }
    }
}
