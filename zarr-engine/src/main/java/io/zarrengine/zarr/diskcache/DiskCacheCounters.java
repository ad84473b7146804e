package io.zarrengine.zarr.diskcache;

/**
 * The work of a cache so far.
 *
 * @param bytesFound bytes read from the disk instead of a store
 * @param bytesMissed bytes read from stores, of objects that may be kept
 * @param bytesWritten bytes written to the disk
 * @param failures writes that failed, and blocks that were damaged
 * @param bytesOnDisk bytes that the cache has on the disk, also those of other processes, as last
 *     known
 */
public record DiskCacheCounters(
        long bytesFound, long bytesMissed, long bytesWritten, long failures, long bytesOnDisk) {
    /** Of an engine without a cache. */
    public static final DiskCacheCounters NONE = new DiskCacheCounters(0, 0, 0, 0, 0);
}
