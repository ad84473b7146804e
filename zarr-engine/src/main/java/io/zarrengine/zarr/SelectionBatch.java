package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.ByChunk;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.MovedPlan;
import io.zarrengine.zarr.plan.SlicedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Selections of one array whose elements go one behind the other. Immutable. */
final class SelectionBatch implements SelectedElements {
    /** The plan of a box takes 430 bytes, what a read makes of it some 200; 3 slices are kept. */
    private static final long PLAN_BYTES = 3 * 640;

    /**
     * Of each chunk that a plan touches a {@link BatchPlan} keeps 16 bytes; while it is made, 44.
     */
    private static final long TOUCH_BYTES = 2 * 16 + 44;

    private final ArrayMetadata metadata;
    private final List<Selection> selections;
    private final long planBytesMax;
    private final long[] innerShape;
    private final long[] targetOffsets; // in bytes
    private final long bytes;
    private final long[] resultShape;

    /** Resolves the selections; throws as {@link Selection#resolve} does. */
    SelectionBatch(ZarrArray array, ZarrEngine engine, List<Selection> selections) {
        metadata = array.metadata();
        this.selections = List.copyOf(selections);
        planBytesMax = engine.executor().options().planBytesMax();
        targetOffsets = new long[selections.size()];
        innerShape = array.innerChunkShape();
        long[] shape = null; // of all, as long as they are alike
        boolean isAlike = !selections.isEmpty();
        long end = 0;
        for (int i = 0; i < targetOffsets.length; i++) {
            ResolvedSelection resolved = resolve(i);
            shape = i == 0 ? resolved.resultShape() : shape;
            isAlike &= Arrays.equals(resolved.resultShape(), shape);
            targetOffsets[i] = end;
            end = Math.addExact(end, resolved.bytes(elementBytes()));
        }
        bytes = end;
        resultShape = isAlike ? together(shape) : new long[] {end / elementBytes()};
    }

    /** The number of the inner chunk where a selection begins, in C order of the array. */
    private long place(int i) {
        ResolvedSelection resolved = resolve(i);
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

    @Override
    public long bytes() {
        return bytes;
    }

    /** {@return the number of selections, then the shape of each; all elements if shapes differ} */
    @Override
    public long[] resultShape() {
        return resultShape;
    }

    /** {@return each touched chunk once, or once for each slice of the selections} */
    @Override
    public ChunkPlan plan() {
        List<ChunkPlan> first = plansFrom(0, null);
        if (first.size() == selections.size()) {
            return together(first, 0, null);
        }
        IntStream all = IntStream.range(0, selections.size());
        ByChunk order = new ByChunk(all.mapToLong(this::place).toArray()); // They share chunks.
        List<Integer> begins = new ArrayList<>(List.of(0)); // of slices: known one by one
        return new SlicedPlan(slice -> {
            int from = begins.get(slice);
            List<ChunkPlan> plans = plansFrom(from, order);
            if (begins.size() == slice + 1) {
                begins.add(from + plans.size());
            }
            return plans.isEmpty() ? null : together(plans, from, order);
        });
    }

    /** The plans of as many selections as may be planned together; of one at least. */
    private List<ChunkPlan> plansFrom(int from, ByChunk order) {
        List<ChunkPlan> plans = new ArrayList<>();
        long planBytes = 0;
        for (int i = from; i < selections.size(); i++) {
            ChunkPlan plan =
                    resolve(selection(i, order)).plan(elementBytes(), metadata.chunkGrid());
            planBytes += PLAN_BYTES + TOUCH_BYTES * Math.min(plan.chunks(), planBytesMax);
            if (i > from && planBytes > planBytesMax) {
                break;
            }
            plans.add(plan);
        }
        return plans;
    }

    private ChunkPlan together(List<ChunkPlan> plans, int from, ByChunk order) {
        long[] offsets = new long[plans.size()];
        Arrays.setAll(offsets, i -> targetOffsets[selection(from + i, order)]);
        return plans.size() == 1
                ? new MovedPlan(plans.getFirst(), offsets[0])
                : new BatchPlan(plans, offsets, metadata.shape(), metadata.chunkGrid());
    }

    /** {@code order} is null if they are planned as they come. */
    private static int selection(int i, ByChunk order) {
        return order == null ? i : order.thing(i);
    }
}
