package io.zarrengine.zarr;

import io.zarrengine.s3.S3Server;
import io.zarrengine.zarr.objectstore.ObjectStore;

/** Reads arrays from an S3 server. */
final class S3ConformanceTest extends ServerConformanceContract<S3Server> {
    @Override
    S3Server connect() throws Exception {
        return new S3Server();
    }

    @Override
    ObjectStore open(S3Server from) {
        return from.open();
    }
}
