package io.zarrengine.zarr;

import io.zarrengine.s3.S3Server;
import io.zarrengine.s3.S3Store;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads each eighth array of {@link ConformanceTest} from an S3 server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class S3ConformanceTest {
    private ZarrEngine engine;
    private S3Server server;
    private S3Store store;

    @BeforeAll
    void open() throws Exception {
        server = new S3Server();
        engine = ZarrEngine.open();
        store = server.open();
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
