package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Opens {@code az://container}, {@code abfs://container} and {@code abfss://container}, in the
 * account of the environment, and {@code abfs://container@account.dfs.core.windows.net}. {@link
 * AzureStoreBuilder} says where credentials come from.
 */
public final class AzureStoreProvider implements ObjectStoreProvider {
    private final Map<String, String> environment;

    /** Creates the provider; a {@link java.util.ServiceLoader} calls this. */
    public AzureStoreProvider() {
        this(System.getenv());
    }

    AzureStoreProvider(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Optional<ObjectStore> open(URI url) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("az") && !scheme.equals("abfs") && !scheme.equals("abfss")) {
            return Optional.empty();
        }
        String[] parts = url.getAuthority().split("@", 2);
        AzureStoreBuilder builder = new AzureStoreBuilder(parts[0], environment);
        builder.name(scheme + "://" + url.getAuthority());
        if (parts.length == 2) {
            ofHost(builder, parts[0], parts[1]);
        }
        return Optional.of(builder.open());
    }

    /** The same account has two hosts: {@code dfs} for folders, {@code blob} for objects. */
    private static void ofHost(AzureStoreBuilder builder, String container, String host) {
        String[] labels = host.split("\\.", 3);
        boolean isHost =
                labels.length == 3
                        && host.indexOf(':') < 0
                        && container.indexOf(':') < 0
                        && (labels[1].equals("dfs") || labels[1].equals("blob"));
        if (!isHost || labels[0].isEmpty()) {
            throw new IllegalArgumentException(
                    "abfs://%s@...: expected container@account.dfs.core.windows.net"
                            .formatted(container.split(":", 2)[0]));
        }
        builder.account(labels[0]);
        builder.endpoint(URI.create("https://" + labels[0] + ".blob." + labels[2]));
    }
}
