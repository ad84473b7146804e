package io.zarrengine.zarr;

/** The treatment of chunks that were never written. */
public enum MissingChunks {
    /**
     * Their elements are the array's fill value, as Zarr defines it: writers omit chunks that hold
     * only the fill value.
     */
    FILL,
    /**
     * The read fails with a {@link io.zarrengine.zarr.errors.MissingChunkException}, also for an
     * inner chunk of a shard. For data of which all chunks are known to exist: it detects a lost
     * file, or a wrong separator in the metadata.
     */
    ERROR
}
