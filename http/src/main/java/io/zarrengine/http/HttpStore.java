package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/**
 * Objects behind {@code http:} or {@code https:} URLs, read by range requests over kept-alive
 * connections. A key follows the base URL after a slash.
 *
 * <p>A failed request is repeated within the {@linkplain HttpStoreBuilder#deadline deadline} if
 * that may help: after status 408, 429, 500, 502, 503 or 504, and if the connection breaks, stalls
 * or brings something else than was asked for. The wait before doubles, and is at least what the
 * server asks for.
 *
 * <p>Owner: who opened it. Threads: any.
 */
public final class HttpStore implements ObjectStore {
    private final URI base; // without user, query and slash at the end
    private final RequestQueue queue;

    HttpStore(HttpStoreBuilder options) {
        base = withoutUser(options.base);
        queue = new RequestQueue(options);
    }

    /**
     * {@return a builder of a store with default options}
     *
     * @param base {@code https://host/path}; a user and password in it authenticate the requests
     * @throws IllegalArgumentException if it is another URL, or has a query
     */
    public static HttpStoreBuilder builder(URI base) {
        return new HttpStoreBuilder(base);
    }

    private static URI withoutUser(URI url) {
        String path = url.getPath().replaceAll("/+$", "");
        return uri(url, path);
    }

    private static URI uri(URI host, String path) {
        try {
            return new URI(
                    host.getScheme(), null, host.getHost(), host.getPort(), path, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("no URL can have the path " + path, e);
        }
    }

    @Override
    public String name() {
        return base.toString();
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        for (ObjectRead read : reads) {
            URI url;
            try {
                url = URI.create(uri(base, base.getPath() + "/" + read.key()).toASCIIString());
            } catch (IllegalArgumentException e) {
                read.failed(new IOException(e.getMessage(), e));
                continue;
            }
            queue.add(new HttpRead(queue, url, read));
        }
    }

    @Override
    public RequestCost requestCost() {
        return queue.meter().requestCost();
    }

    /** {@return counters of the work so far} */
    public HttpStoreMetrics metrics() {
        return queue.metrics();
    }

    @Override
    public void close() {
        queue.close();
    }

    @Override
    public String toString() {
        return name();
    }
}
