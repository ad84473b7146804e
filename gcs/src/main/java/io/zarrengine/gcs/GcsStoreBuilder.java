package io.zarrengine.gcs;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreBuilder;
import io.zarrengine.http.RequestSigner;
import io.zarrengine.http.StoreVariables;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Builds a store from options. What is not set comes from the environment:
 *
 * <ul>
 *   <li>another server: {@code STORAGE_EMULATOR_HOST}; it gets no credentials
 *   <li>a token: {@code GOOGLE_OAUTH_ACCESS_TOKEN}
 *   <li>no credentials: {@code GOOGLE_SKIP_SIGNATURE=true}
 * </ul>
 *
 * <p>Without these, and with {@code com.google.auth:google-auth-library-oauth2-http} on the path,
 * its application default credentials are asked: a file, {@code gcloud}, or the machine. Where
 * there are none, requests are anonymous.
 */
public final class GcsStoreBuilder {
    private static final URI GOOGLE = URI.create("https://storage.googleapis.com");

    private static final String ADVICE =
            "credentials come from GOOGLE_OAUTH_ACCESS_TOKEN, or with Google's library from"
                    + " application default credentials";

    /** Google allows fewer names; other characters would change the URL. */
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private final String bucket;
    private final StoreVariables environment;
    private final List<Consumer<HttpStoreBuilder>> httpOptions = new ArrayList<>();
    private URI endpoint; // null for that of the environment, or Google's
    private RequestSigner signer; // null for that of the environment
    private boolean isAnonymous;
    private String userProject; // null for that of the credentials

    GcsStoreBuilder(String bucket, Map<String, String> environment) {
        if (!BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("expected gs://bucket/path");
        }
        this.bucket = bucket;
        this.environment = new StoreVariables(environment);
    }

    /**
     * Sets the server. Default: {@code https://storage.googleapis.com}.
     *
     * @param newEndpoint its URL
     * @return this
     */
    public GcsStoreBuilder endpoint(URI newEndpoint) {
        endpoint = Objects.requireNonNull(newEndpoint, "endpoint");
        return this;
    }

    /**
     * Authenticates each request by an OAuth 2 token.
     *
     * @param token is called for each request, on a virtual thread, and may block
     * @return this
     */
    public GcsStoreBuilder token(Supplier<String> token) {
        return signer(RequestSigner.bearer(token));
    }

    /**
     * Authenticates each request by what a signer adds to it.
     *
     * @param newSigner is called for each request, on a virtual thread, and may block
     * @return this
     */
    public GcsStoreBuilder signer(RequestSigner newSigner) {
        signer = newSigner;
        return this;
    }

    /**
     * Sends no credentials.
     *
     * @return this
     */
    public GcsStoreBuilder anonymous() {
        isAnonymous = true;
        return this;
    }

    /**
     * Sets the project that pays for requests to a bucket whose requesters pay.
     *
     * @param project its name
     * @return this
     */
    public GcsStoreBuilder userProject(String project) {
        userProject = Objects.requireNonNull(project, "project");
        return this;
    }

    /**
     * Sets options of the requests: the deadline, the proxy and others.
     *
     * @param options is called by {@link #open}
     * @return this
     */
    public GcsStoreBuilder http(Consumer<HttpStoreBuilder> options) {
        httpOptions.add(options);
        return this;
    }

    /** {@return a new store with these options} */
    public GcsStore open() {
        URI server = Optional.ofNullable(endpoint).or(this::emulator).orElse(GOOGLE);
        String base = server.toString().replaceAll("/+$", "") + "/" + bucket;
        HttpStoreBuilder http = HttpStore.builder(URI.create(base)).advice(ADVICE);
        usedSigner().ifPresent(http::signer);
        if (userProject != null) {
            http.header(GoogleSigner.USER_PROJECT, userProject);
        }
        httpOptions.forEach(options -> options.accept(http));
        return new GcsStore("gs://" + bucket, http.open());
    }

    private Optional<URI> emulator() {
        return environment
                .first("STORAGE_EMULATOR_HOST")
                .map(host -> host.contains("://") ? host : "http://" + host)
                .map(URI::create);
    }

    private Optional<RequestSigner> usedSigner() {
        if (isAnonymous || signer != null) {
            return isAnonymous ? Optional.empty() : Optional.of(signer);
        }
        boolean isEmulator = endpoint == null && emulator().isPresent();
        if (isEmulator || environment.isOn("GOOGLE_SKIP_SIGNATURE")) {
            return Optional.empty();
        }
        Optional<String> token = environment.first("GOOGLE_OAUTH_ACCESS_TOKEN");
        if (token.isPresent()) {
            return Optional.of(RequestSigner.bearer(token::get));
        }
        return hasGoogleLibrary() ? Optional.of(GoogleSigner.ofDefault()) : withoutLibrary();
    }

    /** Refuses if a file of credentials is named, because they could not be used. */
    private Optional<RequestSigner> withoutLibrary() {
        if (environment.first("GOOGLE_APPLICATION_CREDENTIALS").isPresent()) {
            throw new IllegalArgumentException(
                    "gs://"
                            + bucket
                            + ": GOOGLE_APPLICATION_CREDENTIALS needs"
                            + " com.google.auth:google-auth-library-oauth2-http on the class path"
                            + " (GOOGLE_SKIP_SIGNATURE=true reads public buckets without)");
        }
        return Optional.empty();
    }

    static boolean hasGoogleLibrary() {
        return StoreVariables.hasClasses(
                GcsStoreBuilder.class, "com.google.auth.oauth2.GoogleCredentials");
    }
}
