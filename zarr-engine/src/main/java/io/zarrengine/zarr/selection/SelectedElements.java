package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.plan.ChunkPlan;

/** The elements that a read returns: fixed-size elements of one array. Immutable. */
public interface SelectedElements {
    /** {@return the size of all elements, in bytes} */
    long bytes();

    /** {@return the length of each dimension of the result, in elements} */
    long[] resultShape();

    /** {@return the touched chunks, and the targets of their elements in C order} */
    ChunkPlan plan();
}
