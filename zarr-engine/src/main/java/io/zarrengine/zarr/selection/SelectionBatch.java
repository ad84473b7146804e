package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkEdges;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.BoxesPlan;
import io.zarrengine.zarr.plan.ChunkGroups;
import io.zarrengine.zarr.plan.ChunkPlan;
import io.zarrengine.zarr.plan.GridPlan;
import io.zarrengine.zarr.plan.MovedPlan;
import io.zarrengine.zarr.plan.Region;
import io.zarrengine.zarr.plan.SlicedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Selections of one array whose elements follow one another in the target. Immutable. */
public final class SelectionBatch implements SelectedElements {
    /** Bytes of the region of a box that shares its shape with others. */
    private static final long BOX_BYTES = 100;

    /**
     * Bytes for each chunk that a box touches: its entry in {@link BoxesPlan}, and the region in
     * the chunk during the read.
     */
    private static final long BOX_TOUCH_BYTES = 8 + 4 + 150;

    /** Bytes for each inner chunk that a box touches, during the read of its shard. */
    private static final long BOX_INNER_TOUCH_BYTES = 8 + 4;

    /**
     * Bytes of a selection's plan (430) and of the objects that a read makes from it (about 200).
     */
    private static final long PLAN_BYTES = 640;

    /**
     * Bytes for each chunk that a plan touches while a {@link BatchPlan} is created. It keeps 16 of
     * them.
     */
    private static final long PLAN_TOUCH_BYTES = 44;

    private final ArrayMetadata metadata;
    private final int count;
    private final IntFunction<ResolvedSelection> selections;
    private final long planBytesMax;
    private final long[] innerShape;
    private final List<ChunkEdges> innerEdges;
    private final long[] targetOffsets; // in bytes; null if all selections have the same size
    private final long bytes;
    private final long[] resultShape;
    private final boolean areBoxes;

    /**
     * Selections that are planned together.
     *
     * @param count the number of selections, at least one
     * @param plan their plan
     */
    private record Slice(int count, ChunkPlan plan) {}

    /**
     * Resolves each selection now and again for each plan; keeps none.
     *
     * @param metadata the array's metadata
     * @param innerShape shape of the smallest chunks that can be read alone
     * @param count the number of selections
     * @param selections resolves the selection with a number
     * @param planBytesMax limit of a plan's memory, in bytes
     */
    public SelectionBatch(
            ArrayMetadata metadata,
            long[] innerShape,
            int count,
            IntFunction<ResolvedSelection> selections,
            long planBytesMax) {
        this.metadata = metadata;
        this.innerShape = innerShape;
        this.count = count;
        this.selections = selections;
        this.planBytesMax = planBytesMax;
        innerEdges = ChunkGrid.regular(innerShape).dimensions();
        long[] offsets = new long[count];
        long[] shape = null; // of all selections, while their shapes are equal
        boolean isAlike = count > 0;
        boolean allBoxes = BoxesPlan.fit(count, metadata.shape(), metadata.chunkGrid());
        long end = 0;
        for (int i = 0; i < offsets.length; i++) {
            ResolvedSelection resolved = resolve(i);
            shape = i == 0 ? resolved.resultShape() : shape;
            isAlike &= Arrays.equals(resolved.resultShape(), shape);
            allBoxes &= resolved.isBox();
            offsets[i] = end;
            end = Math.addExact(end, resolved.bytes(elementBytes()));
        }
        bytes = end;
        targetOffsets = isAlike ? null : offsets;
        resultShape = isAlike ? together(shape) : new long[] {end / elementBytes()};
        areBoxes = allBoxes;
    }

    /** The number of the inner chunk at the start of a selection, in C order of the array. */
    private long place(int i) {
        ResolvedSelection resolved = resolve(i);
        long place = 0;
        for (int d = 0; d < innerShape.length; d++) {
            long chunks = Math.ceilDiv(metadata.shape()[d], innerShape[d]);
            place = place * chunks + resolved.start(d) / innerShape[d];
        }
        return place & Long.MAX_VALUE; // Only a sort key, so numbers above 2^63 may wrap.
    }

    private ResolvedSelection resolve(int i) {
        return selections.apply(i);
    }

    private int elementBytes() {
        return metadata.dataType().byteSize();
    }

    private long[] together(long[] one) {
        long[] all = new long[one.length + 1];
        all[0] = count;
        System.arraycopy(one, 0, all, 1, one.length);
        return all;
    }

    private long targetOffset(int i) {
        return targetOffsets == null ? i * (bytes / count) : targetOffsets[i];
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /**
     * {@return the number of selections, then the shape of each; the number of elements if shapes
     * differ}
     */
    @Override
    public long[] resultShape() {
        return resultShape;
    }

    /** {@return a plan that touches each chunk once, or once for each slice of the selections} */
    @Override
    public ChunkPlan plan() {
        Slice all = slice(0, null, planBytesMax);
        if (all.count() == count) {
            return all.plan();
        }
        IntStream numbers = IntStream.range(0, count);
        // Neighbours share chunks.
        ChunkGroups order = new ChunkGroups(numbers.mapToLong(this::place).toArray());
        // The first selection of each slice, appended when known.
        List<Integer> begins = new ArrayList<>(List.of(0));
        return new SlicedPlan(number -> {
            int from = begins.get(number);
            if (from == count) {
                return null;
            }
            Slice slice = slice(from, order, planBytesMax / SlicedPlan.KEPT);
            if (begins.size() == number + 1) {
                begins.add(from + slice.count());
            }
            return slice.plan();
        });
    }

    /** Plans as many selections together as {@code bytesMax} allows. */
    private Slice slice(int from, ChunkGroups order, long bytesMax) {
        return areBoxes ? boxes(from, order, bytesMax) : plans(from, order, bytesMax);
    }

    private Slice boxes(int from, ChunkGroups order, long bytesMax) {
        List<Region> boxes = new ArrayList<>();
        long planBytes = 0;
        int end = from;
        for (; end < count; end++) {
            int i = selection(end, order);
            Region box = resolve(i).region(elementBytes());
            long touches = box.chunks(metadata.chunkGrid().dimensions());
            planBytes += bytesOf(box, touches, bytesMax);
            if (end > from && planBytes > bytesMax) {
                break;
            }
            if (touches > 0) {
                boxes.add(box.sharing(boxes.isEmpty() ? box : boxes.getLast(), targetOffset(i)));
            }
        }
        ChunkPlan plan =
                boxes.size() == 1 // One box needs no table, even for many chunks.
                        ? new GridPlan(boxes.getFirst(), metadata.chunkGrid())
                        : new BoxesPlan(boxes, metadata.shape(), metadata.chunkGrid());
        return new Slice(end - from, plan);
    }

    /** Estimates the plan bytes of a box. Each count is capped at {@code bytesMax}. */
    private long bytesOf(Region box, long touches, long bytesMax) {
        long inner = touches == 0 ? 0 : box.chunks(innerEdges);
        return BOX_BYTES
                + BOX_TOUCH_BYTES * Math.min(touches, bytesMax)
                + BOX_INNER_TOUCH_BYTES * Math.min(inner, bytesMax);
    }

    private Slice plans(int from, ChunkGroups order, long bytesMax) {
        List<ChunkPlan> plans = new ArrayList<>();
        long planBytes = 0;
        for (int i = from; i < count; i++) {
            ChunkPlan plan =
                    resolve(selection(i, order)).plan(elementBytes(), metadata.chunkGrid());
            planBytes += PLAN_BYTES + PLAN_TOUCH_BYTES * Math.min(plan.chunks(), bytesMax);
            if (i > from && planBytes > bytesMax) {
                break;
            }
            plans.add(plan);
        }
        return new Slice(plans.size(), together(plans, from, order));
    }

    private ChunkPlan together(List<ChunkPlan> plans, int from, ChunkGroups order) {
        long[] offsets = new long[plans.size()];
        Arrays.setAll(offsets, i -> targetOffset(selection(from + i, order)));
        return plans.size() == 1
                ? new MovedPlan(plans.getFirst(), offsets[0])
                : new BatchPlan(plans, offsets, metadata.shape(), metadata.chunkGrid());
    }

    /** {@code order} is null if the selections are planned in their own order. */
    private static int selection(int i, ChunkGroups order) {
        return order == null ? i : order.item(i);
    }
}
