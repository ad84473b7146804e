package io.zarrengine.http;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.Optional;

/** Opens {@code http:} and {@code https:} URLs with default options. */
public final class HttpStoreProvider implements ObjectStoreProvider {
    /** Creates the provider; a {@link java.util.ServiceLoader} calls this. */
    public HttpStoreProvider() {}

    @Override
    public Optional<ObjectStore> open(URI url) {
        boolean isHttp =
                url.getScheme().equalsIgnoreCase("http")
                        || url.getScheme().equalsIgnoreCase("https");
        return isHttp
                ? Optional.of(HttpStore.builder(url.resolve("/" + Urls.query(url))).open())
                : Optional.empty();
    }

    @Override
    public boolean isGeneral() {
        return true;
    }
}
