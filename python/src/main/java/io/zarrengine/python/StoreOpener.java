package io.zarrengine.python;

import io.zarrengine.azure.AzureStore;
import io.zarrengine.azure.AzureStoreBuilder;
import io.zarrengine.gcs.GcsStore;
import io.zarrengine.gcs.GcsStoreBuilder;
import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreBuilder;
import io.zarrengine.s3.S3Store;
import io.zarrengine.s3.S3StoreBuilder;
import io.zarrengine.zarr.objectstore.ObjectStore;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the store of a URL with Python's options. {@code ze.open} documents their names. */
final class StoreOpener {
    private static final String ANONYMOUS = "anon"; // also a token of gcsfs

    private StoreOpener() {}

    /**
     * Returns the store of a URL, in which the path is looked up.
     *
     * @throws IllegalArgumentException if an option is unknown or not valid
     */
    static ObjectStore open(URI url, StorageOptions options) {
        return switch (url.getScheme().toLowerCase(Locale.ROOT)) {
            case "s3" -> s3(url, options);
            case "gs" -> google(url, options);
            case "az", "abfs", "abfss" -> azure(AzureStore.builder(url).orElseThrow(), options);
            case "http", "https" -> {
                Optional<AzureStoreBuilder> azure = AzureStore.builder(url);
                yield azure.isPresent() ? azure(azure.get(), options) : http(url, options);
            }
            default ->
                    throw new IllegalArgumentException(
                            "storage_options are for URLs of http, https, s3, gs, az, abfs and"
                                    + " abfss, not "
                                    + url.getScheme());
        };
    }

    /** Returns what the options of all requests change in a builder. */
    private static Consumer<HttpStoreBuilder> requests(StorageOptions options) {
        Map<String, String> headers = options.texts("headers");
        Optional<URI> proxy = options.url("proxy");
        Optional<Integer> requestsMax = options.count("max_concurrency");
        Optional<Double> deadline = options.seconds("timeout");
        Optional<Boolean> hidesMissing = options.flag("hides_missing");
        return builder -> {
            headers.forEach(builder::header);
            proxy.ifPresent(builder::proxy);
            requestsMax.ifPresent(builder::requestsMax);
            deadline.map(StorageOptions::duration).ifPresent(builder::deadline);
            hidesMissing.ifPresent(builder::hidesMissing);
        };
    }

    private static ObjectStore http(URI url, StorageOptions options) {
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        HttpStoreBuilder builder = HttpStore.builder(url.resolve("/" + query));
        requests(options).accept(builder);
        Optional<String> token = options.text("token");
        Optional<String> user = options.anyText("username");
        Optional<String> password = options.anyText("password");
        options.requireOne("token", "username");
        options.requireBoth("username", "password");
        options.refuseUnknown("http");
        token.ifPresent(builder::bearer);
        user.ifPresent(name -> builder.basic(name, password.orElseThrow()));
        return builder.open();
    }

    private static ObjectStore s3(URI url, StorageOptions options) {
        S3StoreBuilder builder = S3Store.builder(url.getAuthority());
        builder.http(requests(options));
        StorageOptions client = options.nested("client_kwargs"); // as s3fs has it
        Optional<URI> clientEndpoint = client.url("endpoint_url");
        Optional<String> clientRegion = client.text("region_name");
        options.url("endpoint_url").or(() -> clientEndpoint).ifPresent(builder::endpoint);
        options.text("region").or(() -> clientRegion).ifPresent(builder::region);
        boolean isAnonymous = options.flag(ANONYMOUS).orElse(false);
        Optional<String> key = options.text("key");
        Optional<String> secret = options.text("secret");
        Optional<String> token = options.text("token");
        Optional<String> profile = options.text("profile");
        options.flag("requester_pays").ifPresent(builder::requesterPays);
        client.refuseUnknown("s3");
        options.refuseUnknown("s3");
        options.requireOne(ANONYMOUS, "key", "profile");
        options.requireBoth("key", "secret");
        if (token.isPresent() && key.isEmpty()) {
            throw options.error(
                    "token", "is the session token of key and secret, which are missing");
        }
        if (isAnonymous) {
            builder.anonymous();
        }
        profile.ifPresent(builder::profile);
        key.ifPresent(id -> {
            String hidden = secret.orElseThrow();
            token.ifPresentOrElse(
                    session -> builder.accessKey(id, hidden, session),
                    () -> builder.accessKey(id, hidden));
        });
        return builder.open();
    }

    private static ObjectStore google(URI url, StorageOptions options) {
        GcsStoreBuilder builder = GcsStore.builder(url.getAuthority());
        builder.http(requests(options));
        options.url("endpoint_url").ifPresent(builder::endpoint);
        Optional<String> token = options.text("token");
        boolean isAnonymous =
                options.flag(ANONYMOUS).orElse(false)
                        || token.filter(ANONYMOUS::equals).isPresent();
        options.text("requester_pays").ifPresent(builder::userProject);
        options.refuseUnknown("gs");
        Optional<String> used = token.filter(text -> !text.equals(ANONYMOUS));
        if (used.filter(text -> text.matches("[a-z_]*|.*[.]json")).isPresent()) {
            throw options.error(
                    "token",
                    "is neither an OAuth 2 token nor \"anon\"; Google's other credentials come from"
                            + " the environment");
        }
        options.requireOne(ANONYMOUS, "token");
        if (isAnonymous) {
            builder.anonymous();
        }
        used.ifPresent(text -> builder.token(() -> text));
        return builder.open();
    }

    private static ObjectStore azure(AzureStoreBuilder builder, StorageOptions options) {
        builder.http(requests(options));
        options.text("account_name").ifPresent(builder::account);
        options.url("endpoint_url").ifPresent(builder::endpoint);
        boolean isAnonymous = options.flag(ANONYMOUS).orElse(false);
        Optional<String> key = options.text("account_key");
        Optional<String> signature = options.text("sas_token");
        Optional<String> token = options.text("token");
        options.refuseUnknown("az");
        options.requireOne(ANONYMOUS, "account_key", "sas_token", "token");
        if (isAnonymous) {
            builder.anonymous();
        }
        key.ifPresent(builder::sharedKey);
        signature.ifPresent(builder::sas);
        token.ifPresent(text -> builder.token(() -> text));
        return builder.open();
    }
}
