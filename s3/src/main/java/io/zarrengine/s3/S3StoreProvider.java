package io.zarrengine.s3;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Opens {@code s3://bucket} URLs. {@link S3StoreBuilder} says where credentials come from. */
public final class S3StoreProvider implements ObjectStoreProvider {
    private final Map<String, String> environment;

    /** Creates the provider; a {@link java.util.ServiceLoader} calls this. */
    public S3StoreProvider() {
        this(System.getenv());
    }

    S3StoreProvider(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Optional<ObjectStore> open(URI url) {
        return url.getScheme().equalsIgnoreCase("s3")
                ? Optional.of(new S3StoreBuilder(url.getAuthority(), environment).open())
                : Optional.empty();
    }
}
