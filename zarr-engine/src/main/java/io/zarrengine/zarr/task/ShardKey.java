package io.zarrengine.zarr.task;

import io.zarrengine.uring.FileVersion;
import io.zarrengine.zarr.pipeline.ShardIndexCodec;

/**
 * Identifies a shard and the encoding of its index: all that the decoded index depends on.
 *
 * @param version the file, as it was when it was opened
 * @param offset of the shard in the file, in bytes; not 0 for most shards inside another one
 * @param bytes its size
 * @param codec of its index
 * @param chunks number of inner chunks
 */
record ShardKey(FileVersion version, long offset, long bytes, ShardIndexCodec codec, long chunks) {
    /** The rest of the key seldom differs where these do not. */
    @Override
    public int hashCode() {
        return 31 * version.hashCode() + Long.hashCode(offset);
    }

    /** Written out: to link that of the record takes 5 ms of a new process. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ShardKey key
                && version.equals(key.version)
                && offset == key.offset
                && bytes == key.bytes
                && codec.equals(key.codec)
                && chunks == key.chunks;
    }
}
