package io.zarrengine.s3;

import io.zarrengine.http.BucketStore;
import io.zarrengine.http.HttpStore;
import io.zarrengine.http.ListingFormat;

/**
 * A bucket of S3, or of a server with its interface: MinIO, Ceph, Cloudflare R2.
 *
 * <p>Owner: the code that opened it. Threads: any.
 */
public final class S3Store extends BucketStore {
    S3Store(String name, HttpStore http) {
        super(name, http, ListingFormat.S3);
    }

    /**
     * {@return a builder of a store}
     *
     * @param bucket its name
     * @throws IllegalArgumentException if no bucket can have that name
     */
    public static S3StoreBuilder builder(String bucket) {
        return new S3StoreBuilder(bucket, System.getenv());
    }
}
