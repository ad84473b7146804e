package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.diskcache.DiskCache;
import io.zarrengine.zarr.diskcache.DiskCacheOptions;
import io.zarrengine.zarr.errors.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/** The options of an engine's cache on disk. Owner: the builder. */
final class DiskCacheSettings {
    private Path folder; // null: no cache
    private long bytesMax;
    private Duration maxAge = DiskCacheOptions.DEFAULT_MAX_AGE;
    private Duration unusedMax = DiskCacheOptions.DEFAULT_UNUSED_MAX;
    private InstantSource clock = InstantSource.system();

    void set(Path newFolder, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a disk cache cannot have " + bytes + " bytes");
        }
        folder = Objects.requireNonNull(newFolder, "the folder of the disk cache is null");
        bytesMax = bytes;
    }

    void maxAge(Duration newMaxAge) {
        if (newMaxAge.isNegative()) {
            throw new IllegalArgumentException("a maximum age of " + newMaxAge);
        }
        maxAge = newMaxAge;
    }

    /** Sets the time of day, in tests. */
    void clock(InstantSource newClock) {
        clock = newClock;
    }

    /** Sets how long a file stays open that is not read, in tests. */
    void unusedMax(Duration newUnusedMax) {
        unusedMax = newUnusedMax;
    }

    Optional<DiskCache> open(ReadBackend backend, Caching caching) {
        if (folder == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    DiskCache.open(
                            new DiskCacheOptions(folder, bytesMax, maxAge, unusedMax),
                            backend,
                            caching,
                            clock));
        } catch (IOException e) {
            throw StoreException.of("the disk cache " + folder, e);
        }
    }

    @Override
    public String toString() {
        return folder == null
                ? "no disk cache"
                : "disk cache %s of %d bytes, maximum age %s".formatted(folder, bytesMax, maxAge);
    }
}
