package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads the arrays of {@link ConformanceTest} out of a store whose objects are kept on disk, then
 * from the disk. Fault: a read differs there in its bounds, its errors or its missing chunks.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DiskCacheConformanceTest {
    private ZarrEngine engine;

    @BeforeAll
    void open(@TempDir Path folder) {
        engine = ZarrEngine.builder().diskCache(folder, 1L << 30).open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    static List<Conformance.Case> good() {
        return Conformance.cases("good");
    }

    static List<Conformance.Case> bad() {
        return Conformance.cases("bad");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        try (MemoryStore objects = MemoryStore.create()) {
            objects.putAll(c.store());
            CountedStore store = new CountedStore(objects, "test://" + c);
            for (int i = 0; i < 2; i++) {
                ConformanceTest.assertReads(() -> engine.openArray(store, c.path()), c);
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
                ConformanceTest.assertRefuses(
                        () -> engine.openArray(store, c.path()), store.name());
            }
        }
    }
}
