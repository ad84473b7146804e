package io.zarrengine.zarr.plan;

import java.util.List;

/** The chunks that a read touches, and the regions that it needs of each. Immutable. */
public interface ChunkPlan {
    /** {@return the number of chunks that hold a selected position} */
    long chunks();

    /** {@return the total number of {@link #parts} of all chunks} */
    long partCount();

    /**
     * {@return the number of chunks that may have begun when {@code ended} have ended; more would
     * take too much memory}
     *
     * @param ended number of chunks that have ended, fewer than all
     */
    default long mayBegin(long ended) {
        return chunks();
    }

    /**
     * {@return the grid coordinates of a chunk}
     *
     * @param ordinal index of the chunk in the plan
     */
    long[] coordinates(long ordinal);

    /**
     * {@return the selected positions of a chunk, relative to its origin; at least one region, none
     * of them empty}
     *
     * @param ordinal index of the chunk in the plan
     */
    List<Region> parts(long ordinal);
}
