package io.zarrengine.http;

import java.util.List;
import java.util.stream.Stream;

/** Tests of the store of a bucket, which a web server of the tests answers. */
public abstract class BucketContract extends FaultContract<BucketStore> {
    /** {@return the name of the bucket} */
    protected abstract String bucket();

    @Override
    protected final String path() {
        return bucket() + "/";
    }

    /** {@return the values of a header in the requests that had it} */
    protected final List<String> sent(String header) {
        return server.requests().stream()
                .flatMap(r -> Stream.ofNullable(r.headers().get(header)))
                .toList();
    }
}
