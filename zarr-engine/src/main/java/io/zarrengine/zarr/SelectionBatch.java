package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Selections of one array whose elements go one behind the other. Immutable. */
final class SelectionBatch {
    private final ArrayMetadata metadata;
    private final List<ChunkPlan> plans = new ArrayList<>();
    private final long[] targetOffsets; // in bytes
    private final long bytes;
    private final long[] resultShape;

    /** Resolves the selections; throws as {@link Selection#resolve} does. */
    SelectionBatch(ArrayMetadata metadata, List<Selection> selections) {
        this.metadata = metadata;
        int elementBytes = metadata.dataType().byteSize();
        targetOffsets = new long[selections.size()];
        List<long[]> shapes = new ArrayList<>();
        long end = 0;
        for (Selection selection : selections) {
            ResolvedSelection resolved = selection.resolve(metadata.shape(), metadata.chunkGrid());
            long next = Math.addExact(end, resolved.bytes(elementBytes));
            targetOffsets[plans.size()] = end;
            plans.add(resolved.plan(elementBytes, metadata.chunkGrid()));
            shapes.add(resolved.resultShape());
            end = next;
        }
        bytes = end;
        resultShape = together(shapes);
    }

    private static long[] together(List<long[]> shapes) {
        boolean isAlike =
                !shapes.isEmpty()
                        && shapes.stream().allMatch(one -> Arrays.equals(one, shapes.getFirst()));
        if (!isAlike) {
            return new long[] {shapes.stream().mapToLong(SelectionBatch::elements).sum()};
        }
        long[] one = shapes.getFirst();
        long[] all = new long[one.length + 1];
        all[0] = shapes.size();
        System.arraycopy(one, 0, all, 1, one.length);
        return all;
    }

    private static long elements(long[] shape) {
        return Arrays.stream(shape).reduce(1, (a, b) -> a * b);
    }

    /** {@return the size of all elements} */
    long bytes() {
        return bytes;
    }

    /** {@return the number of selections, then the shape of each; all elements if shapes differ} */
    long[] resultShape() {
        return resultShape;
    }

    /** {@return each touched chunk once} */
    ChunkPlan plan() {
        return new BatchPlan(plans, targetOffsets, metadata.shape(), metadata.chunkGrid());
    }
}
