package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.AwaitedRead;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.RequestCost;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;

/**
 * Objects behind {@code http:} or {@code https:} URLs, read by range requests over kept-alive
 * connections. A key follows the base URL after a slash.
 *
 * <p>A failed request is repeated within the {@linkplain HttpStoreBuilder#deadline deadline} if
 * that may help: after status 408, 429, 500, 502, 503 or 504, and if the connection breaks, stalls
 * or brings something else than was asked for. The wait before doubles, and is at least what the
 * server asks for.
 *
 * <p>Owner: the code that opened it. Threads: any.
 */
public final class HttpStore implements ObjectStore {
    /** A page of a listing has at most 5,000 keys of 1,024 characters, each with its markup. */
    private static final long ANSWER_BYTES_MAX = 32 << 20;

    private final URI base; // without user, query and slash at the end
    private final String query; // with its question mark, or empty; may be a secret
    private final String headers; // those that may choose the content; may be secrets
    private final RequestQueue queue;

    HttpStore(HttpOptions options) {
        base = withoutUser(options.base());
        query = Urls.query(options.base());
        headers = withoutAuthorization(options.headers());
        queue = new RequestQueue(options);
    }

    /**
     * {@return a builder of a store with default options}
     *
     * @param base {@code https://host/path}; a user and password in it authenticate the requests; a
     *     query follows each key, and no message repeats it
     * @throws IllegalArgumentException if it is another URL
     */
    public static HttpStoreBuilder builder(URI base) {
        return new HttpStoreBuilder(base, System.getenv());
    }

    private static URI withoutUser(URI url) {
        return Urls.of(url, url.getPath().replaceAll("/+$", ""), "");
    }

    @Override
    public String name() {
        return base.toString();
    }

    /**
     * {@return the base URL and those headers that are not credentials; empty if the query has more
     * than credentials}
     */
    @Override
    public Optional<String> cacheName() {
        return Urls.hasOnlyCredentials(query) ? Optional.of(name() + headers) : Optional.empty();
    }

    private static String withoutAuthorization(Map<String, String> headers) {
        SortedMap<String, String> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        others.putAll(headers);
        others.remove("Authorization");
        return others.isEmpty() ? "" : " " + others;
    }

    @Override
    public void read(List<? extends ObjectRead> reads) {
        for (ObjectRead read : reads) {
            begin(read, query);
        }
    }

    private void begin(ObjectRead read, String withQuery) {
        String path = read.key().isEmpty() ? base.getPath() : base.getPath() + "/" + read.key();
        queue.add(new HttpRead(queue, Urls.of(base, path, withQuery), read));
    }

    /**
     * {@return the server's answer to a query, for example for a list of keys; empty if it answers
     * that nothing is there} Waits for it.
     *
     * @param path follows the base URL after a slash; or empty
     * @param question names and values of the query, in this order
     * @throws IOException if the request fails
     */
    public Optional<byte[]> ask(String path, Map<String, String> question) throws IOException {
        StringJoiner joined = new StringJoiner("&", query.isEmpty() ? "?" : query + "&", "");
        question.forEach((name, value) -> joined.add(name + "=" + Urls.encode(value, "")));
        AwaitedRead read = AwaitedRead.whole(path, ANSWER_BYTES_MAX);
        begin(read, joined.toString());
        try {
            return read.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public RequestCost requestCost() {
        return queue.meter().requestCost();
    }

    @Override
    public RequestMetrics metrics() {
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
