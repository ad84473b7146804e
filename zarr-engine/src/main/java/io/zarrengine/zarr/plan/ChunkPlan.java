package io.zarrengine.zarr.plan;

import java.util.List;

/** Which chunks of an array a read touches, and what it wants of each. Immutable. */
public interface ChunkPlan {
    /** {@return how many chunks hold a wanted position} */
    long chunks();

    /** {@return how many {@link #parts} all chunks have together} */
    long partCount();

    /**
     * {@return how many chunks may have begun when so many have ended; more take too much memory}
     *
     * @param ended how many, fewer than all
     */
    default long mayBegin(long ended) {
        return chunks();
    }

    /**
     * {@return the coordinates in the grid of a chunk}
     *
     * @param ordinal which of the chunks
     */
    long[] coordinates(long ordinal);

    /**
     * {@return the positions wanted of a chunk, counted from its origin; at least one region, none
     * of them empty}
     *
     * @param ordinal which of the chunks
     */
    List<Region> parts(long ordinal);
}
