package io.zarrengine.gcs;

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
 * A bucket of Google Cloud Storage, read by its XML interface, whose ranges, ETags and lists are
 * those of S3.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class GcsStore implements ObjectStore {
    private final String name;
    private final HttpStore http;

    GcsStore(String name, HttpStore http) {
        this.name = name;
        this.http = http;
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
