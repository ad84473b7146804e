package io.zarrengine.zarr.objectstore;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of a store whose objects are on a server.
 *
 * @param <V> the server
 * @param <S> the store
 */
@SuppressWarnings("exports") // JUnit, which is no dependency of the module
public abstract class ServerContract<V extends ObjectServer, S extends ObjectStore>
        implements ObjectStoreContract {
    protected V server;
    protected S store;

    protected ServerContract() {}

    /** {@return a server for one test; skips the test where it cannot run} */
    protected abstract V startServer() throws Exception;

    /** {@return the store of a test, on the server that was started for it} */
    protected abstract S openStore() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        server = startServer();
        store = openStore();
    }

    @AfterEach
    final void close() throws Exception {
        if (store != null) { // null if the test was skipped
            store.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** Goes on with another store. */
    protected final void reopen(S another) {
        store.close();
        store = another;
    }

    @Override
    public final ObjectStore store() {
        return store;
    }

    @Override
    public void put(String key, byte[] bytes) throws Exception {
        server.put(key, bytes);
    }

    /** {@return a read that the store has started} */
    protected final Read start(String key, long offset, long length) {
        Read read = new Read(key, offset, length);
        store.read(List.of(read));
        return read;
    }

    /** {@return the bytes of an object, or of a range of it} */
    protected final byte[] read(String key, long offset, long length) throws Exception {
        return start(key, offset, length).get().bytes();
    }
}
