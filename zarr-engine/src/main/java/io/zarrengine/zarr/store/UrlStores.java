package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The stores that an engine has opened for URLs: one for each scheme, authority and query.
 *
 * <p>Owner: the engine. Threads: any.
 */
public final class UrlStores implements AutoCloseable {
    private final Map<String, ObjectStore> opened = new HashMap<>(); // guarded by this
    private boolean isClosed; // guarded by this

    /** Opens no store yet. */
    public UrlStores() {}

    /**
     * {@return the store of a URL}
     *
     * @param url with a scheme and an authority
     * @throws StoreException if nothing on the class path or module path reads such URLs
     */
    public synchronized ObjectStore of(URI url) {
        if (isClosed) {
            throw ClosedException.ofEngine();
        }
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals("memory")) {
            return MemoryStore.named(url.getAuthority());
        }
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        return opened.computeIfAbsent(
                scheme + "://" + url.getRawAuthority() + query, key -> open(url));
    }

    private static ObjectStore open(URI url) {
        List<ObjectStoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(ObjectStoreProvider.class).forEach(providers::add);
        providers.sort(Comparator.comparing(ObjectStoreProvider::isGeneral));
        for (ObjectStoreProvider provider : providers) {
            Optional<ObjectStore> store = provider.open(url);
            if (store.isPresent()) {
                return store.get();
            }
        }
        String problem =
                UrlModules.of(url.getScheme())
                        .map(module ->
                                "reading it needs the module io.zarrengine:"
                                        + module
                                        + " on the class path or module path")
                        .orElseGet(() -> LocalPaths.unknownKind(url.getScheme()));
        throw new StoreException(nameOf(url, ""), problem, null);
    }

    /**
     * {@return a URL without what may be a secret: its user, its query and its fragment} Names of
     * buckets may be no names of hosts.
     *
     * @param url with a scheme
     * @param path of the URL, or a part of it
     */
    public static String nameOf(URI url, String path) {
        String authority = Objects.requireNonNullElse(url.getAuthority(), "");
        return url.getScheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1) + path;
    }

    /** {@return the sum of the stores' counters, also after they were closed} */
    public synchronized RequestMetrics metrics() {
        return opened.values().stream()
                .map(ObjectStore::metrics)
                .reduce(RequestMetrics.NONE, RequestMetrics::plus);
    }

    /** Closes the stores. No read is under way. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            opened.values().forEach(ObjectStore::close);
        }
    }
}
