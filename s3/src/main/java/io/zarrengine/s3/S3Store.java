package io.zarrengine.s3;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreMetrics;
import io.zarrengine.http.ListingFormat;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A bucket of S3, or of a server with its interface: MinIO, Ceph, Cloudflare R2.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class S3Store implements ObjectStore {
    private final String name;
    private final HttpStore http;

    S3Store(String name, HttpStore http) {
        this.name = name;
        this.http = http;
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

    @Override
    public String name() {
        return name;
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        http.read(reads);
    }

    @Override
    public Optional<List<String>> list(String prefix, long max) throws IOException {
        Map<String, String> question = Map.of("list-type", "2");
        return Optional.of(ListingFormat.S3.list(http, "", question, prefix, max));
    }

    @Override
    public RequestCost requestCost() {
        return http.requestCost();
    }

    /** {@return counters of the work so far} */
    public HttpStoreMetrics metrics() {
        return http.metrics();
    }

    @Override
    public void close() {
        http.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
