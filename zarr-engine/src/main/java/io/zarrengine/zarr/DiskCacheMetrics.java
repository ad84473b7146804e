package io.zarrengine.zarr;

import io.zarrengine.zarr.diskcache.DiskCacheCounters;

/**
 * Counters of an engine's cache on disk; zeros if it has none.
 *
 * @param bytesFound bytes read from the disk instead of a store
 * @param bytesMissed bytes read from stores, of objects that may be kept
 * @param bytesWritten bytes written to the disk
 * @param failures writes that failed, and reads from the disk that brought something else than was
 *     written, which the store then repeated
 * @param bytesOnDisk bytes of the disk that the folder takes, also for other processes: as last
 *     measured, and what this engine has written since
 */
public record DiskCacheMetrics(
        long bytesFound, long bytesMissed, long bytesWritten, long failures, long bytesOnDisk) {
    /** An engine without a cache. */
    public static final DiskCacheMetrics NONE = of(DiskCacheCounters.NONE);

    static DiskCacheMetrics of(DiskCacheCounters done) {
        return new DiskCacheMetrics(
                done.bytesFound(),
                done.bytesMissed(),
                done.bytesWritten(),
                done.failures(),
                done.bytesOnDisk());
    }
}
