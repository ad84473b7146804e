package io.zarrengine.s3;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * The region of a bucket, which signatures name. Amazon tells it to anybody, also of a bucket that
 * he must not read.
 *
 * <p>Threads: any.
 *
 * @see <a href="https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html">S3,
 *     HeadBucket</a>
 */
final class BucketRegion {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final URI bucket; // null if the region is known
    private final String fallback;
    private String region; // null until it is known; guarded by this

    private BucketRegion(URI bucket, String fallback, String region) {
        this.bucket = bucket;
        this.fallback = fallback;
        this.region = region;
    }

    static BucketRegion known(String region) {
        return new BucketRegion(null, region, region);
    }

    /**
     * {@return a region that is asked for when it is first used}
     *
     * @param bucket the URL of the bucket
     * @param fallback used if the server does not tell it
     */
    static BucketRegion asked(URI bucket, String fallback) {
        return new BucketRegion(bucket, fallback, null);
    }

    /** {@return the region} Waits for it. */
    synchronized String get() throws IOException {
        if (region == null) {
            region = ask().orElse(fallback);
        }
        return region;
    }

    private Optional<String> ask() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(bucket).HEAD().timeout(TIMEOUT).build();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            return client.send(request, HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValue("x-amz-bucket-region");
        } catch (IOException e) {
            throw new IOException("the bucket's region cannot be asked for: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the bucket's region was asked for", e);
        }
    }
}
