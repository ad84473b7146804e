package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.ByChunk;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.SlicedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Selections of one array whose elements go one behind the other. Immutable. */
final class SelectionBatch {
    /** The plan of a box takes 430 bytes, what a read makes of it some 200; 3 slices are kept. */
    private static final long PLAN_BYTES = 3 * 640;

    private final ArrayMetadata metadata;
    private final List<Selection> selections;
    private final int plannedMax;
    private final ByChunk order; // in which they are planned; null if all are planned together
    private final long[] targetOffsets; // in bytes
    private final long bytes;
    private final long[] resultShape;

    /** Resolves the selections; throws as {@link Selection#resolve} does. */
    SelectionBatch(ZarrArray array, ZarrEngine engine, List<Selection> selections) {
        metadata = array.metadata();
        this.selections = List.copyOf(selections);
        long bytesMax = engine.executor().options().planBytesMax();
        plannedMax = Math.clamp(bytesMax / PLAN_BYTES, 1, Integer.MAX_VALUE);
        long[] places = new long[selections.size() > plannedMax ? selections.size() : 0];
        targetOffsets = new long[selections.size()];
        long[] innerShape = array.innerChunkShape();
        long[] shape = null; // of all, as long as they are alike
        boolean isAlike = !selections.isEmpty();
        long end = 0;
        for (int i = 0; i < targetOffsets.length; i++) {
            ResolvedSelection resolved = resolve(i);
            shape = i == 0 ? resolved.resultShape() : shape;
            isAlike &= Arrays.equals(resolved.resultShape(), shape);
            targetOffsets[i] = end;
            if (i < places.length) {
                places[i] = place(resolved, innerShape);
            }
            end = Math.addExact(end, resolved.bytes(elementBytes()));
        }
        bytes = end;
        resultShape = isAlike ? together(shape) : new long[] {end / elementBytes()};
        order = places.length == 0 ? null : new ByChunk(places); // They share chunks.
    }

    /** The number of the inner chunk where a selection begins, in C order of the array. */
    private long place(ResolvedSelection resolved, long[] innerShape) {
        long place = 0;
        for (int d = 0; d < innerShape.length; d++) {
            long chunks = Math.ceilDiv(metadata.shape()[d], innerShape[d]);
            place = place * chunks + resolved.start(d) / innerShape[d];
        }
        return place;
    }

    private ResolvedSelection resolve(int i) {
        return selections.get(i).resolve(metadata.shape(), metadata.chunkGrid());
    }

    private int elementBytes() {
        return metadata.dataType().byteSize();
    }

    private long[] together(long[] one) {
        long[] all = new long[one.length + 1];
        all[0] = selections.size();
        System.arraycopy(one, 0, all, 1, one.length);
        return all;
    }

    /** {@return the size of all elements} */
    long bytes() {
        return bytes;
    }

    /** {@return the number of selections, then the shape of each; all elements if shapes differ} */
    long[] resultShape() {
        return resultShape;
    }

    /** {@return each touched chunk once, or once for each slice of the selections} */
    ChunkPlan plan() {
        int slices = Math.ceilDiv(selections.size(), plannedMax);
        return slices <= 1 ? plan(0) : new SlicedPlan(slices, this::plan);
    }

    private ChunkPlan plan(int slice) {
        int from = slice * plannedMax;
        int count = Math.min(plannedMax, selections.size() - from);
        List<ChunkPlan> plans = new ArrayList<>(count);
        long[] offsets = new long[count];
        for (int i = 0; i < count; i++) {
            int selection = order == null ? i : order.thing(from + i);
            plans.add(resolve(selection).plan(elementBytes(), metadata.chunkGrid()));
            offsets[i] = targetOffsets[selection];
        }
        return new BatchPlan(plans, offsets, metadata.shape(), metadata.chunkGrid());
    }
}
