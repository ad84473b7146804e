package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreContract;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of the store of a bucket, which a web server of the tests answers. */
public abstract class BucketContract implements ObjectStoreContract {
    protected TestServer server;
    protected BucketStore store;

    /** {@return the name of the bucket} */
    protected abstract String bucket();

    /** {@return the bucket on the server, without credentials} */
    protected abstract BucketStore anonymous();

    @BeforeEach
    final void open() throws IOException {
        server = new TestServer();
        store = anonymous();
    }

    @AfterEach
    final void close() throws IOException {
        store.close();
        server.close();
    }

    /** Goes on with another store. */
    protected final void reopen(BucketStore another) {
        store.close();
        store = another;
    }

    @Override
    public final ObjectStore store() {
        return store;
    }

    @Override
    public final void put(String key, byte[] bytes) {
        server.put(bucket() + "/" + key, bytes);
    }

    protected final byte[] read(String key, long offset, long length) throws Exception {
        Read read = new Read(key, offset, length);
        store.read(List.of(read));
        return read.get().bytes();
    }

    /** {@return the values of a header in the requests that had it} */
    protected final List<String> sent(String header) {
        return server.requests().stream()
                .flatMap(r -> Stream.ofNullable(r.headers().get(header)))
                .toList();
    }
}
