package io.zarrengine.zarr;

import io.zarrengine.azure.AzureStore;
import io.zarrengine.azure.Azurite;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads each eighth array of {@link ConformanceTest} from Azurite. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AzuriteConformanceTest {
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
        return Conformance.someCases("good");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        String path = c.putInto(azurite::put);
        ConformanceTest.assertReads(() -> engine.openArray(store, path), c);
    }
}
