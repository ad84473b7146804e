package io.zarrengine.s3;

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
import java.util.regex.Pattern;

/**
 * Builds a store from options. What is not set comes from the environment:
 *
 * <ul>
 *   <li>another server: {@code AWS_ENDPOINT_URL_S3}, {@code AWS_ENDPOINT_URL}
 *   <li>the region: that of the bucket, for which Amazon is asked; {@code AWS_REGION} or {@code
 *       AWS_DEFAULT_REGION} for other servers, and for separate parts of Amazon, such as China
 *   <li>no credentials: {@code AWS_SKIP_SIGNATURE=true} or {@code AWS_NO_SIGN_REQUEST=YES}
 *   <li>who pays: {@code AWS_REQUEST_PAYER=requester}
 *   <li>credentials: as Amazon's own library finds them, in variables, profiles, containers and
 *       machines
 * </ul>
 *
 * <p>Credentials need {@code software.amazon.awssdk:auth} and {@code :http-auth-aws} on the path.
 * If no credentials are found, requests are anonymous. The search ends at the metadata service of
 * the machine, for which the first request waits 1 s if packets to it are dropped; not with {@code
 * AWS_EC2_METADATA_DISABLED=true}, nor without signatures.
 */
public final class S3StoreBuilder {
    /** Amazon allows fewer names; other characters would change the URL. */
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    /** Parts of Amazon that do not know the buckets of the others. */
    private static final Pattern APART = Pattern.compile("(cn|us-gov|us-iso\\w*|eu-isoe|eusc)-.*");

    /** If one of these is set, missing credentials are an error. */
    private static final String[] WANTED = {
        "AWS_ACCESS_KEY_ID",
        "AWS_PROFILE",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI"
    };

    private static final String DEFAULT_REGION = "us-east-1";

    private static final String ADVICE =
            "where credentials come from: docs/guide/remote.md; a bucket that may not be listed also"
                    + " answers so for what is missing: ZARR_ENGINE_HIDES_MISSING=true, or"
                    + " HttpStoreBuilder.hidesMissing";

    private final String bucket;
    private final StoreVariables environment;
    private final List<Consumer<HttpStoreBuilder>> httpOptions = new ArrayList<>();
    private URI endpoint; // null for that of the environment, or Amazon's
    private String region; // null for the bucket's
    private String profile; // null for that of the environment
    private AccessKey accessKey; // null for what Amazon's library finds
    private boolean isAnonymous;
    private Boolean requesterPays; // null for what the environment says
    private Boolean hasBucketHost; // null for the default

    S3StoreBuilder(String bucket, Map<String, String> environment) {
        if (bucket == null || !BUCKET.matcher(bucket).matches()) {
            throw new IllegalArgumentException("expected s3://bucket/path");
        }
        this.bucket = bucket;
        this.environment = new StoreVariables(environment);
    }

    /**
     * Sets the server. Default: Amazon's.
     *
     * @param newEndpoint its URL, without the bucket
     * @return this
     */
    public S3StoreBuilder endpoint(URI newEndpoint) {
        endpoint = Objects.requireNonNull(newEndpoint, "endpoint");
        return this;
    }

    /**
     * Sets the region of the bucket. Default: Amazon is asked for it, once, if requests are signed.
     *
     * @param newRegion for example {@code eu-central-1}
     * @return this
     */
    public S3StoreBuilder region(String newRegion) {
        region = Objects.requireNonNull(newRegion, "region");
        return this;
    }

    /**
     * Sets where the bucket is named in URLs. Default: in the host if the server is Amazon's and
     * the name has no dot, because certificates do not cover such hosts; else in the path.
     *
     * @param newHasBucketHost true for {@code https://bucket.host/key}, false for {@code
     *     https://host/bucket/key}
     * @return this
     */
    public S3StoreBuilder bucketInHost(boolean newHasBucketHost) {
        hasBucketHost = newHasBucketHost;
        return this;
    }

    /**
     * Sends no credentials.
     *
     * @return this
     */
    public S3StoreBuilder anonymous() {
        isAnonymous = true;
        return this;
    }

    /**
     * Signs requests with the credentials of a profile.
     *
     * @param newProfile its name in the files of Amazon's command
     * @return this
     */
    public S3StoreBuilder profile(String newProfile) {
        profile = Objects.requireNonNull(newProfile, "profile");
        return this;
    }

    /**
     * Signs requests with a key that does not expire.
     *
     * @param id the access key ID
     * @param secret the secret access key
     * @return this
     */
    public S3StoreBuilder accessKey(String id, String secret) {
        accessKey = new AccessKey(id, secret, Optional.empty());
        return this;
    }

    /**
     * Signs requests with a key that expires, as Amazon's token service gives it.
     *
     * @param id the access key ID
     * @param secret the secret access key
     * @param token the session token
     * @return this
     */
    public S3StoreBuilder accessKey(String id, String secret, String token) {
        accessKey = new AccessKey(id, secret, Optional.of(token));
        return this;
    }

    /**
     * Sets whether this account pays for requests to a bucket whose requesters pay. Default: what
     * {@code AWS_REQUEST_PAYER} says; else false.
     *
     * @param pays whether it pays
     * @return this
     */
    public S3StoreBuilder requesterPays(boolean pays) {
        requesterPays = pays;
        return this;
    }

    /**
     * Sets options of the requests: the deadline, the proxy and others.
     *
     * @param options is called by {@link #open}, and again if the bucket's region is asked for
     * @return this
     */
    public S3StoreBuilder http(Consumer<HttpStoreBuilder> options) {
        httpOptions.add(options);
        return this;
    }

    /**
     * {@return a new store with these options}
     *
     * @throws IllegalArgumentException if the options need a library that is not on the path
     */
    public S3Store open() {
        HttpStoreBuilder http = HttpStore.builder(base()).advice(ADVICE);
        boolean pays =
                requesterPays == null
                        ? environment
                                .first("AWS_REQUEST_PAYER")
                                .filter("requester"::equals)
                                .isPresent()
                        : requesterPays;
        if (pays) {
            http.header("x-amz-request-payer", "requester");
        }
        signer().ifPresent(http::signer);
        httpOptions.forEach(options -> options.accept(http));
        return new S3Store("s3://" + bucket, http.open());
    }

    /** {@return the URL of the bucket} */
    URI base() {
        URI server = server();
        boolean isInHost =
                hasBucketHost == null ? isAmazon() && bucket.indexOf('.') < 0 : hasBucketHost;
        String scheme = server.getScheme() + "://";
        String rest = server.toString().substring(scheme.length()).replaceAll("/+$", "");
        return URI.create(isInHost ? scheme + bucket + "." + rest : scheme + rest + "/" + bucket);
    }

    private boolean isAmazon() {
        return otherServer().isEmpty();
    }

    private Optional<URI> otherServer() {
        return Optional.ofNullable(endpoint)
                .or(() ->
                        environment
                                .first("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
                                .map(URI::create));
    }

    /** The host without a region knows where each bucket is. */
    private URI server() {
        return otherServer()
                .orElseGet(() ->
                        URI.create(
                                knownRegion()
                                        .map(S3StoreBuilder::amazon)
                                        .orElse("https://s3.amazonaws.com")));
    }

    private static String amazon(String ofRegion) {
        String end = ofRegion.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
        return "https://s3." + ofRegion + end;
    }

    /** {@return the region that need not be asked for} */
    private Optional<String> knownRegion() {
        Optional<String> set = Optional.ofNullable(region);
        return set.isPresent()
                ? set
                : environmentRegion().filter(name -> !isAmazon() || APART.matcher(name).matches());
    }

    private Optional<String> environmentRegion() {
        return environment.first("AWS_REGION", "AWS_DEFAULT_REGION");
    }

    private Optional<RequestSigner> signer() {
        boolean skips = environment.isOn("AWS_SKIP_SIGNATURE", "AWS_NO_SIGN_REQUEST");
        boolean isChosen = accessKey != null || profile != null;
        if (isAnonymous || (skips && !isChosen)) {
            return Optional.empty();
        }
        boolean isWanted = isChosen || environment.first(WANTED).isPresent();
        if (!hasAmazonLibrary()) {
            return withoutLibrary(isWanted);
        }
        return Optional.of(
                new AmazonSigner(
                        AmazonSigner.credentials(accessKey, profile), signingRegion(), !isWanted));
    }

    /** {@return the bucket, with the caller's proxy and other options} */
    HttpStoreBuilder unsigned() {
        HttpStoreBuilder http = HttpStore.builder(base());
        httpOptions.forEach(options -> options.accept(http));
        return http;
    }

    private BucketRegion signingRegion() {
        String fallback = environmentRegion().orElse(DEFAULT_REGION);
        return knownRegion()
                .map(BucketRegion::known)
                .orElseGet(() ->
                        isAmazon()
                                ? BucketRegion.asked(this::unsigned, fallback)
                                : BucketRegion.known(fallback));
    }

    private Optional<RequestSigner> withoutLibrary(boolean isWanted) {
        if (isWanted) {
            throw new IllegalArgumentException(
                    "s3://"
                            + bucket
                            + ": credentials need software.amazon.awssdk:auth and :http-auth-aws on"
                            + " the class path (AWS_SKIP_SIGNATURE=true reads public buckets"
                            + " without)");
        }
        return Optional.empty();
    }

    private static boolean hasAmazonLibrary() {
        return StoreVariables.hasClasses(
                S3StoreBuilder.class,
                "software.amazon.awssdk.auth.credentials.AwsCredentialsProvider",
                "software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner");
    }
}
