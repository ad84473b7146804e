package io.zarrengine.zarr;

import io.zarrengine.http.TestServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the arrays of {@link ConformanceTest} from a web server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpConformanceTest {
    private ZarrEngine engine;
    private TestServer server;

    @BeforeAll
    void open() throws Exception {
        engine = ZarrEngine.open();
        server = new TestServer();
    }

    @AfterAll
    void close() throws Exception {
        engine.close();
        server.close();
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
        URI url = serve(c);
        ConformanceTest.assertReads(() -> engine.openArray(url), c);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        URI url = serve(c);
        ConformanceTest.assertRefuses(() -> engine.openArray(url), url.toString());
    }

    private URI serve(Conformance.Case c) throws Exception {
        return URI.create(server.url("") + c.putInto(server::put));
    }
}
