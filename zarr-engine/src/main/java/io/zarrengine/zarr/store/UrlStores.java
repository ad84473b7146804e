package io.zarrengine.zarr.store;

import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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
        for (ObjectStoreProvider provider : ServiceLoader.load(ObjectStoreProvider.class)) {
            Optional<ObjectStore> store = provider.open(url);
            if (store.isPresent()) {
                return store.get();
            }
        }
        boolean isHttp = url.getScheme().toLowerCase(Locale.ROOT).startsWith("http");
        String problem =
                isHttp
                        ? "reading it needs the module io.zarrengine:http on the class path or module"
                                + " path"
                        : LocalPaths.unknownKind(url.getScheme());
        throw new StoreException(url.getScheme() + "://" + url.getHost(), problem, null);
    }

    /** Closes the stores. No read is under way. */
    @Override
    public synchronized void close() {
        isClosed = true;
        opened.values().forEach(ObjectStore::close);
        opened.clear();
    }
}
