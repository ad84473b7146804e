package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileVersion;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;

/**
 * Identifies a shard and how its index is read: everything that the decoded index depends on.
 *
 * @param version which file, as it was when it was opened
 * @param offset where the shard begins, in bytes; not 0 for most shards inside another one
 * @param bytes its size
 * @param codec how its index is stored
 * @param chunks its inner chunks
 */
record ShardKey(FileVersion version, long offset, long bytes, ShardIndexCodec codec, long chunks) {
    /** The rest of the key seldom differs where these do not. */
    @Override
    public int hashCode() {
        return 31 * version.hashCode() + Long.hashCode(offset);
    }
}
