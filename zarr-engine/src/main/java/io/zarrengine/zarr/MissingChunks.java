package io.zarrengine.zarr;

/** What becomes of the elements of a chunk that was never written. */
public enum MissingChunks {
    /**
     * They are the array's fill value, as Zarr defines it: writers leave out chunks that hold
     * nothing else.
     */
    FILL,
    /**
     * The read fails with a {@link io.zarrengine.zarr.errors.MissingChunkException}, also for an
     * inner chunk of a shard. For data of which all chunks are known to be there: a file that was
     * lost, or a wrong separator in the metadata, is noticed.
     */
    ERROR
}
