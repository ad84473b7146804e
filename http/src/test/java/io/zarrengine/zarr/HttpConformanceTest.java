package io.zarrengine.zarr;

import io.zarrengine.http.TestServer;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the arrays of {@link ConformanceTest} from a web server. */
final class HttpConformanceTest extends ConformanceContract {
    private TestServer server;

    @BeforeAll
    void open() throws Exception {
        server = new TestServer();
    }

    @AfterAll
    void close() throws Exception {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        URI url = serve(c);
        assertReads(() -> engine.openArray(url), c);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        URI url = serve(c);
        assertRefuses(() -> engine.openArray(url), url.toString());
    }

    private URI serve(Conformance.Case c) throws Exception {
        return URI.create(server.url("") + c.putInto(server::put));
    }
}
