package io.zarrengine.gcs;

import io.zarrengine.http.BucketStore;
import io.zarrengine.http.HttpStore;
import io.zarrengine.http.ListingFormat;

/**
 * A bucket of Google Cloud Storage, read by its XML interface, whose ranges, ETags and lists are
 * those of S3.
 *
 * <p>Owner: the code that opened it. Threads: any.
 */
public final class GcsStore extends BucketStore {
    GcsStore(String name, HttpStore http) {
        super(name, http, ListingFormat.S3);
    }

    /**
     * {@return a builder of a store}
     *
     * @param bucket its name
     * @throws IllegalArgumentException if no bucket can have that name
     */
    public static GcsStoreBuilder builder(String bucket) {
        return new GcsStoreBuilder(bucket, System.getenv());
    }
}
