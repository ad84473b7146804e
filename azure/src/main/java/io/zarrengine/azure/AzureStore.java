package io.zarrengine.azure;

import io.zarrengine.http.BucketStore;
import io.zarrengine.http.HttpStore;
import io.zarrengine.http.ListingFormat;
import io.zarrengine.zarr.objectstore.ObjectRead;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A container of Azure Blob Storage, whose blobs are the objects. Azure has no suffix ranges, so a
 * read of the end of an object is two requests: the first one learns the size and the ETag.
 *
 * <p>Owner: the code that opened it. Threads: any.
 */
public final class AzureStore extends BucketStore {
    private final boolean isAccount; // keys begin with a container
    private final HttpStore http;

    AzureStore(String name, String container, HttpStore http) {
        super(name, http, ListingFormat.AZURE);
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

    /**
     * {@return a builder of the store of a URL, in which only the environment is missing; empty if
     * it is no URL of Azure}
     *
     * @param url {@code az://container/path}, {@code
     *     abfs://container@account.dfs.core.windows.net/path} or {@code
     *     https://account.blob.core.windows.net/container/path}
     * @throws IllegalArgumentException if it names no account where it should
     */
    public static Optional<AzureStoreBuilder> builder(URI url) {
        return new AzureStoreProvider().builder(url);
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        List<ObjectRead> ranges = new ArrayList<>(reads.size());
        for (ObjectRead read : reads) {
            ranges.add(read.offset() < 0 ? new SizeRead(read, http) : read);
        }
        super.read(ranges);
    }

    @Override
    public Optional<List<String>> list(String prefix, long max) throws IOException {
        if (!isAccount) {
            return list("", prefix, max);
        }
        int slash = prefix.indexOf('/');
        return slash < 0
                ? Optional.empty()
                : list(prefix.substring(0, slash), prefix.substring(slash + 1), max);
    }
}
