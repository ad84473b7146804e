package io.zarrengine.azure;

import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.objectstore.ObjectStoreProvider;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens {@code az://container}, {@code abfs://container} and {@code abfss://container}, in the
 * account of the environment, {@code abfs://container@account.dfs.core.windows.net}, and {@code
 * https://account.blob.core.windows.net}. {@link AzureStoreBuilder} lists the sources of
 * credentials.
 */
public final class AzureStoreProvider implements ObjectStoreProvider {
    /** The same account has two hosts: {@code dfs} for folders, {@code blob} for objects. */
    private static final Pattern HOST =
            Pattern.compile("([a-z0-9]+)\\.(?:dfs|blob)\\.([a-z0-9.-]+)");

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
        return builder(url).map(AzureStoreBuilder::open);
    }

    /** {@return a builder of the store of a URL; empty if it is no URL of Azure} */
    Optional<AzureStoreBuilder> builder(URI url) {
        return switch (url.getScheme().toLowerCase(Locale.ROOT)) {
            case "az", "abfs", "abfss" -> Optional.of(ofContainer(url));
            case "https" -> ofAccount(url);
            default -> Optional.empty();
        };
    }

    private AzureStoreBuilder ofContainer(URI url) {
        String[] parts = url.getAuthority().split("@", 2);
        AzureStoreBuilder builder = new AzureStoreBuilder(parts[0], environment);
        builder.name(url.getScheme() + "://" + url.getAuthority());
        if (parts.length == 2) {
            Matcher host = HOST.matcher(parts[1]);
            if (!host.matches() || parts[0].contains(":")) {
                throw new IllegalArgumentException(
                        "expected abfs://container@account.dfs.core.windows.net/path");
            }
            setAccount(builder, host);
        }
        return builder;
    }

    /** {@return all containers of an account, if it is one of Azure's} */
    private Optional<AzureStoreBuilder> ofAccount(URI url) {
        Matcher host = HOST.matcher(String.valueOf(url.getAuthority()));
        if (!host.matches() || !host.group(2).startsWith("core.")) {
            return Optional.empty();
        }
        AzureStoreBuilder builder = new AzureStoreBuilder("", environment);
        setAccount(builder, host);
        return Optional.of(builder);
    }

    private static void setAccount(AzureStoreBuilder builder, Matcher host) {
        builder.account(host.group(1));
        builder.endpoint(URI.create("https://" + host.group(1) + ".blob." + host.group(2)));
    }
}
