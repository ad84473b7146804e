package io.zarrengine.s3;

import io.zarrengine.http.BucketContract;
import io.zarrengine.http.BucketStore;
import io.zarrengine.http.HttpStoreBuilder;
import java.util.function.Consumer;

/** Faults of a server, to requests that are signed. */
final class S3FaultTest extends BucketContract {
    @Override
    protected String bucket() {
        return "bucket";
    }

    @Override
    protected BucketStore openStore(Consumer<HttpStoreBuilder> options) {
        return S3Store.builder("bucket")
                .endpoint(server.url(""))
                .region("here")
                .accessKey("id", "secret")
                .http(options)
                .open();
    }
}
