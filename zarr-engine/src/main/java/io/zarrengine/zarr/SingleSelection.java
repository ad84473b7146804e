package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.ChunkPlan;

/** One selection of an array. */
record SingleSelection(ResolvedSelection resolved, ArrayMetadata metadata)
        implements SelectedElements {
    /** Resolves it; throws as {@link Selection#resolve} does. */
    static SingleSelection of(Selection selection, ArrayMetadata metadata) {
        return new SingleSelection(
                selection.resolve(metadata.shape(), metadata.chunkGrid()), metadata);
    }

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
