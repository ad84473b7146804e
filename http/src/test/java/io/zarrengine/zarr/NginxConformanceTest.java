package io.zarrengine.zarr;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.Nginx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads each eighth array of {@link ConformanceTest} from nginx by TLS, in HTTP/2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NginxConformanceTest {
    private ZarrEngine engine;
    private Nginx server;
    private HttpStore store;

    @BeforeAll
    void open() throws Exception {
        server = new Nginx();
        engine = ZarrEngine.open();
        store = server.openSecure();
    }

    @AfterAll
    void close() {
        if (store != null) {
            engine.close();
            store.close();
        }
    }

    static List<Conformance.Case> good() {
        return Conformance.someCases("good");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        String path = c.putInto(server::put);
        ConformanceTest.assertReads(() -> engine.openArray(store, path), c);
    }
}
