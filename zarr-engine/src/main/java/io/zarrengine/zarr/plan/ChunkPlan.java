package io.zarrengine.zarr.plan;

import java.util.List;

/** The chunks of an array that a read touches, and the selected parts of each. Immutable. */
public interface ChunkPlan {
    /** {@return the number of chunks that hold a selected position} */
    long chunks();

    /** {@return the number of {@link #parts} of all chunks together} */
    long partCount();

    /**
     * {@return the number of chunks that may have begun after {@code ended} have ended; more would
     * take too much memory}
     *
     * @param ended the number of ended chunks, less than all
     */
    default long mayBegin(long ended) {
        return chunks();
    }

    /**
     * {@return the coordinates of a chunk in the grid}
     *
     * @param ordinal the chunk's number in this plan
     */
    long[] coordinates(long ordinal);

    /**
     * {@return the selected positions of a chunk, relative to its origin; at least one region, none
     * of them empty}
     *
     * @param ordinal the chunk's number in this plan
     */
    List<Region> parts(long ordinal);
}
