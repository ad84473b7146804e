package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.ArrayList;
import java.util.List;

/** Selections of one array whose elements go one behind the other. Immutable. */
final class SelectionBatch {
    private final ArrayMetadata metadata;
    private final List<ChunkPlan> plans = new ArrayList<>();
    private final long[] targetOffsets; // in bytes
    private final long bytes;

    /** Resolves the selections; throws as {@link Selection#resolve} does. */
    SelectionBatch(ArrayMetadata metadata, List<Selection> selections) {
        this.metadata = metadata;
        int elementBytes = metadata.dataType().byteSize();
        targetOffsets = new long[selections.size()];
        long end = 0;
        for (Selection selection : selections) {
            ResolvedSelection resolved = selection.resolve(metadata.shape(), metadata.chunkGrid());
            targetOffsets[plans.size()] = end;
            plans.add(resolved.plan(elementBytes, metadata.chunkGrid()));
            end = Math.addExact(end, resolved.bytes(elementBytes));
        }
        bytes = end;
    }

    /** {@return the size of all elements} */
    long bytes() {
        return bytes;
    }

    /** {@return each touched chunk once} */
    ChunkPlan plan() {
        return new BatchPlan(plans, targetOffsets, metadata.shape(), metadata.chunkGrid());
    }
}
