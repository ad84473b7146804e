package io.zarrengine.zarr;

import io.zarrengine.azure.AzureStore;
import io.zarrengine.azure.Azurite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads each eighth array of {@link ConformanceTest} from Azurite. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AzuriteConformanceTest {
    private static final int STEP = 8;

    private ZarrEngine engine;
    private Azurite azurite;
    private AzureStore store;

    @BeforeAll
    void open() throws Exception {
        azurite = new Azurite();
        engine = ZarrEngine.open();
        store = azurite.builder().sharedKey(Azurite.KEY).open();
    }

    @AfterAll
    void close() {
        if (store != null) {
            engine.close();
            store.close();
            azurite.close();
        }
    }

    static List<Conformance.Case> good() {
        List<Conformance.Case> all = Conformance.cases("good");
        return IntStream.range(0, all.size())
                .filter(i -> i % STEP == 0)
                .mapToObj(all::get)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        String prefix = "case-" + c.folder().getFileName();
        try (Stream<Path> files = Files.walk(c.store()).filter(Files::isRegularFile)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                azurite.put(prefix + "/" + c.store().relativize(file), Files.readAllBytes(file));
            }
        }
        String path = c.path().isEmpty() ? prefix : prefix + "/" + c.path();
        ConformanceTest.assertReads(() -> engine.openArray(store, path), c);
    }
}
