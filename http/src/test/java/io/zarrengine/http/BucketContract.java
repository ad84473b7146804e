package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ServerContract;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Tests of the store of a bucket, which a web server of the tests answers. */
public abstract class BucketContract extends ServerContract<TestServer, BucketStore> {
    /** {@return the name of the bucket} */
    protected abstract String bucket();

    @Override
    protected final TestServer startServer() throws IOException {
        return new TestServer();
    }

    @Override
    public final void put(String key, byte[] bytes) {
        server.put(bucket() + "/" + key, bytes);
    }

    /** {@return the values of a header in the requests that had it} */
    protected final List<String> sent(String header) {
        return server.requests().stream()
                .flatMap(r -> Stream.ofNullable(r.headers().get(header)))
                .toList();
    }
}
