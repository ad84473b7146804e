package io.zarrengine.zarr.transform;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Computes numbers along the last dimension. For one thread at a time. */
interface Rows {
    /**
     * Computes a part of a row.
     *
     * @param source the elements that were read
     * @param base index of the sample's first element
     * @param position of the row; its last number is not used
     * @param from index in the row of the first number
     * @param values receives the numbers, from index 0
     * @param count at most {@link io.zarrengine.zarr.filter.NumberBlocks#LENGTH}
     */
    void load(
            MemorySegment source,
            long base,
            long[] position,
            long from,
            double[] values,
            int count);

    /** Adds the levels that this computes, and what they are computed from. */
    void addTo(List<Program.Level> levels);
}
