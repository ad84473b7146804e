package io.zarrengine.azure;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreMetrics;
import io.zarrengine.http.ListingFormat;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A container of Azure Blob Storage, whose blobs are the objects. Azure has no suffix ranges, so a
 * read of the end of an object is two requests: the first one learns the size and the ETag.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class AzureStore implements ObjectStore {
    private final String name;
    private final boolean isAccount; // keys begin with a container
    private final HttpStore http;

    AzureStore(String name, String container, HttpStore http) {
        this.name = name;
        this.isAccount = container.isEmpty();
        this.http = http;
    }

    /**
     * {@return a builder of a store}
     *
     * @param container its name
     */
    public static AzureStoreBuilder builder(String container) {
        return new AzureStoreBuilder(container, System.getenv());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        List<ObjectRead> ranges = new ArrayList<>(reads.size());
        for (ObjectRead read : reads) {
            ranges.add(read.offset() < 0 ? new SizeRead(read, http) : read);
        }
        http.read(ranges);
    }

    @Override
    public Optional<List<String>> list(String prefix, long max) throws IOException {
        Map<String, String> question = new LinkedHashMap<>();
        question.put("restype", "container");
        question.put("comp", "list");
        String container = "";
        String rest = prefix;
        if (isAccount) {
            int slash = prefix.indexOf('/');
            if (slash < 0) {
                return Optional.empty();
            }
            container = prefix.substring(0, slash);
            rest = prefix.substring(slash + 1);
        }
        return Optional.of(ListingFormat.AZURE.list(http, container, question, rest, max));
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
