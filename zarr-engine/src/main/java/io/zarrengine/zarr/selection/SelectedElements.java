package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.plan.ChunkPlan;

/** What a read brings: elements of one array, of a fixed size. Immutable. */
public interface SelectedElements {
    /** {@return the size of all elements, in bytes} */
    long bytes();

    /** {@return the length of each dimension of the result, in elements} */
    long[] resultShape();

    /** {@return the chunks that are touched, and where their elements go, in C order} */
    ChunkPlan plan();
}
