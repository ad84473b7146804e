package io.zarrengine.gcs;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Opens {@code gs://bucket} URLs. {@link GcsStoreBuilder} says where credentials come from. */
public final class GcsStoreProvider implements ObjectStoreProvider {
    private final Map<String, String> environment;

    /** Creates the provider; a {@link java.util.ServiceLoader} calls this. */
    public GcsStoreProvider() {
        this(System.getenv());
    }

    GcsStoreProvider(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Optional<ObjectStore> open(URI url) {
        return url.getScheme().equalsIgnoreCase("gs")
                ? Optional.of(new GcsStoreBuilder(url.getAuthority(), environment).open())
                : Optional.empty();
    }
}
