package io.zarrengine.s3;

import io.zarrengine.http.RequestSigner;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/**
 * Signs requests by Amazon's own libraries, with version 4 of its signatures.
 *
 * @see <a href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html">AWS,
 *     Signature Version 4</a>
 */
final class AmazonSigner implements RequestSigner {
    private static final String ONLY_SIGNED = "x-amz-"; // All such headers must be.

    private static final String WITHOUT =
            " (AWS_NO_SIGN_REQUEST=YES, or S3StoreBuilder.anonymous, reads without)";

    /**
     * Time until missing credentials are looked for again. Looking may take seconds; but a metadata
     * service may have failed only once.
     */
    private static final long ANONYMOUS_NANOS = Duration.ofMinutes(10).toNanos();

    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final AwsCredentialsProvider source;
    private final BucketRegion region;
    private final boolean mayBeAnonymous;
    private long anonymousUntilNanos; // guarded by this, as the next
    private boolean isAnonymous;

    /**
     * Creates the signer.
     *
     * @param source of credentials
     * @param region of the bucket
     * @param mayBeAnonymous whether it is no error that there are no credentials
     */
    AmazonSigner(AwsCredentialsProvider source, BucketRegion region, boolean mayBeAnonymous) {
        this.source = source;
        this.region = region;
        this.mayBeAnonymous = mayBeAnonymous;
    }

    /**
     * {@return the source of credentials}
     *
     * @param key null for others
     * @param profile null for that of the environment
     */
    static AwsCredentialsProvider credentials(AccessKey key, String profile) {
        if (key != null) {
            return StaticCredentialsProvider.create(credentials(key));
        }
        return profile == null ? anywhere() : ProfileCredentialsProvider.create(profile);
    }

    private static AwsCredentials credentials(AccessKey key) {
        return key.token().isPresent()
                ? AwsSessionCredentials.create(key.id(), key.secret(), key.token().get())
                : AwsBasicCredentials.create(key.id(), key.secret());
    }

    /**
     * {@return the same places in the same order as those of {@code DefaultCredentialsProvider}}
     */
    private static AwsCredentialsProvider anywhere() {
        return AwsCredentialsProviderChain.builder()
                .credentialsProviders(
                        SystemPropertyCredentialsProvider.create(),
                        EnvironmentVariableCredentialsProvider.create(),
                        WebIdentityTokenFileCredentialsProvider.create(),
                        ProfileCredentialsProvider.create(),
                        ContainerCredentialsProvider.create(),
                        MachineCredentials.ofThisOne())
                .build();
    }

    @Override
    public Map<String, String> sign(URI url, Map<String, String> headers) throws IOException {
        AwsCredentials credentials = resolve();
        if (credentials == null) {
            return Map.of();
        }
        String signingRegion = region.get();
        SdkHttpRequest.Builder request =
                SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(url);
        headers.forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).startsWith(ONLY_SIGNED)) {
                request.putHeader(name, value);
            }
        });
        SdkHttpRequest signed =
                signer.sign(one ->
                                one.identity(credentials)
                                        .request(request.build())
                                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                                        .putProperty(AwsV4HttpSigner.REGION_NAME, signingRegion)
                                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                                        .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
                        .request();
        Map<String, String> added = new HashMap<>();
        for (Map.Entry<String, List<String>> header : signed.headers().entrySet()) {
            added.put(header.getKey(), String.join(",", header.getValue()));
        }
        added.remove("Host"); // The client sends it.
        return added;
    }

    /** {@return the credentials; null if there are none: public buckets need none} */
    private synchronized AwsCredentials resolve() throws IOException {
        if (isAnonymous && System.nanoTime() - anonymousUntilNanos < 0) {
            return null;
        }
        try {
            return source.resolveCredentials();
        } catch (RuntimeException e) {
            if (mayBeAnonymous && isAbsence(e)) {
                isAnonymous = true;
                anonymousUntilNanos = System.nanoTime() + ANONYMOUS_NANOS;
                return null;
            }
            throw new IOException("Amazon's credentials: " + e.getMessage() + WITHOUT, e);
        }
    }

    private static boolean isAbsence(RuntimeException e) {
        return String.valueOf(e.getMessage()).startsWith("Unable to load credentials from any");
    }
}
