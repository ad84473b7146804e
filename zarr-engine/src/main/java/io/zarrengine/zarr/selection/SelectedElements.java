package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.plan.ChunkPlan;

/**
 * The selected elements of one array: of a fixed size each, with a result shape and a plan.
 * Immutable.
 */
public interface SelectedElements {
    /** {@return the size of all elements, in bytes} */
    long bytes();

    /** {@return the length of each dimension of the result, in elements} */
    long[] resultShape();

    /** {@return the touched chunks and the target offsets of their elements, in C order} */
    ChunkPlan plan();
}
