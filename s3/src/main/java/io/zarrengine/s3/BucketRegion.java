package io.zarrengine.s3;

import io.zarrengine.http.HttpStore;
import io.zarrengine.http.HttpStoreBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

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
    private final Supplier<HttpStoreBuilder> bucket; // null if the region is known
    private final String fallback;
    private String region; // null until it is known; guarded by this

    private BucketRegion(Supplier<HttpStoreBuilder> bucket, String fallback, String region) {
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
     * @param bucket opens the bucket without credentials
     * @param fallback used if the server does not tell it
     */
    static BucketRegion asked(Supplier<HttpStoreBuilder> bucket, String fallback) {
        return new BucketRegion(bucket, fallback, null);
    }

    /** {@return the region} Waits for it. */
    synchronized String get() throws IOException {
        if (region == null) {
            region = ask().orElse(fallback);
        }
        return region;
    }

    /** Asks for an empty list: any answer has the region, also the one that this is forbidden. */
    private Optional<String> ask() throws IOException {
        AtomicReference<Optional<String>> told = new AtomicReference<>(); // null without an answer
        HttpStoreBuilder http =
                bucket.get()
                        .answers(headers -> {
                            Optional<String> here = headers.firstValue("x-amz-bucket-region");
                            told.updateAndGet(
                                    before -> before == null || here.isPresent() ? here : before);
                        });
        try (HttpStore store = http.open()) {
            var _ = store.ask("", Map.of("max-keys", "0"));
        } catch (IOException e) {
            if (told.get() == null) {
                throw new IOException(
                        "the bucket's region cannot be asked for: " + e.getMessage(), e);
            }
        }
        return told.get();
    }
}
