package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A bucket of objects, which is read by HTTP and has lists of its keys.
 *
 * <p>Owner: the code that opened it. Threads: any.
 */
public abstract class BucketStore implements ObjectStore {
    private final String name;
    private final HttpStore http;
    private final ListingFormat listing;

    /**
     * Takes the store that is closed with this one.
     *
     * @param name of the bucket, for messages
     * @param http reads its objects
     * @param listing the format of its lists
     */
    protected BucketStore(String name, HttpStore http, ListingFormat listing) {
        this.name = name;
        this.http = http;
        this.listing = listing;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Optional<String> cacheName() {
        return http.cacheName();
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        http.read(reads);
    }

    @Override
    public Optional<List<String>> list(String prefix, long max) throws IOException {
        return list("", prefix, max);
    }

    /**
     * {@return as {@link #list(String, long)}}
     *
     * @param path of the bucket in the store; or empty
     * @param prefix ends with a slash, or is empty
     * @param max most names to return
     * @throws IOException if the listing fails
     */
    protected final Optional<List<String>> list(String path, String prefix, long max)
            throws IOException {
        return Optional.of(listing.list(http, path, prefix, max));
    }

    @Override
    public final RequestCost requestCost() {
        return http.requestCost();
    }

    @Override
    public final RequestMetrics metrics() {
        return http.metrics();
    }

    @Override
    public final void close() {
        http.close();
    }

    @Override
    public final String toString() {
        return name;
    }
}
