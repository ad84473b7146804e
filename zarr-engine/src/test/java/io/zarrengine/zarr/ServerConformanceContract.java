package io.zarrengine.zarr;

import io.zarrengine.zarr.objectstore.ObjectServer;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads each eighth array of {@link ConformanceTest} from a server that {@code bin/test-stores}
 * starts.
 *
 * @param <V> the server
 */
abstract class ServerConformanceContract<V extends ObjectServer> extends ConformanceContract {
    private V server;
    private ObjectStore store;

    /** {@return the server; skips the tests where it does not run} */
    abstract V connect() throws Exception;

    /** {@return a store of the server's objects} */
    abstract ObjectStore open(V from) throws Exception;

    @BeforeAll
    void open() throws Exception {
        server = connect();
        store = open(server);
    }

    @AfterAll
    void close() throws Exception {
        if (store != null) { // null if the tests were skipped
            store.close();
            server.close();
        }
    }

    static List<Conformance.Case> someGood() {
        return Conformance.someCases("good");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("someGood")
    void readsExactly(Conformance.Case c) throws Exception {
        String path = c.putInto(server::put);
        assertReads(() -> engine.openArray(store, path), c);
    }
}
