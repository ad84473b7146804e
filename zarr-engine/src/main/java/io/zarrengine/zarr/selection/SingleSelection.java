package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.ChunkPlan;

/**
 * One selection of an array.
 *
 * @param resolved the positions
 * @param metadata metadata of the array
 */
public record SingleSelection(ResolvedSelection resolved, ArrayMetadata metadata)
        implements SelectedElements {
    @Override
    public long bytes() {
        return resolved.bytes(metadata.dataType().byteSize());
    }

    @Override
    public long[] resultShape() {
        return resolved.resultShape();
    }

    @Override
    public ChunkPlan plan() {
        return resolved.plan(metadata.dataType().byteSize(), metadata.chunkGrid());
    }
}
