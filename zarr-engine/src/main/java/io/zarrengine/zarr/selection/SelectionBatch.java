package io.zarrengine.zarr.selection;

import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.ChunkEdges;
import io.zarrengine.zarr.metadata.ChunkGrid;
import io.zarrengine.zarr.plan.BatchPlan;
import io.zarrengine.zarr.plan.BoxesPlan;
import io.zarrengine.zarr.plan.ByChunk;
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

/** Selections of one array whose elements go one behind the other. Immutable. */
public final class SelectionBatch implements SelectedElements {
    /** The region of a box that shares its shape with others. */
    private static final long BOX_BYTES = 100;

    /**
     * Of each chunk that a box touches: what {@link BoxesPlan} keeps, and the region in it while it
     * is read.
     */
    private static final long BOX_TOUCH_BYTES = 8 + 4 + 150;

    /** Of each inner chunk that a box touches, while its shard is read. */
    private static final long BOX_INNER_TOUCH_BYTES = 8 + 4;

    /** The plan of any selection takes 430 bytes, what a read makes of it some 200. */
    private static final long PLAN_BYTES = 640;

    /**
     * Of each chunk that a plan touches a {@link BatchPlan} keeps 16 bytes; while it is made, 44.
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

    /** Selections that are planned together: {@code count} of them, at least one. */
    private record Slice(int count, ChunkPlan plan) {}

    /**
     * Asks for each selection now, and again for plans: none is kept.
     *
     * @param metadata the array's
     * @param innerShape of the smallest chunks that are read by themselves
     * @param count how many selections there are
     * @param selections resolves each
     * @param planBytesMax what a plan may take
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
        long[] shape = null; // of all, as long as they are alike
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

    /** The number of the inner chunk where a selection begins, in C order of the array. */
    private long place(int i) {
        ResolvedSelection resolved = resolve(i);
        long place = 0;
        for (int d = 0; d < innerShape.length; d++) {
            long chunks = Math.ceilDiv(metadata.shape()[d], innerShape[d]);
            place = place * chunks + resolved.start(d) / innerShape[d];
        }
        return place & Long.MAX_VALUE; // It is to sort by: numbers of 2^63 chunks may wrap.
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

    /** {@return the number of selections, then the shape of each; all elements if shapes differ} */
    @Override
    public long[] resultShape() {
        return resultShape;
    }

    /** {@return each touched chunk once, or once for each slice of the selections} */
    @Override
    public ChunkPlan plan() {
        Slice all = slice(0, null, planBytesMax);
        if (all.count() == count) {
            return all.plan();
        }
        IntStream numbers = IntStream.range(0, count);
        ByChunk order = new ByChunk(numbers.mapToLong(this::place).toArray()); // They share chunks.
        List<Integer> begins = new ArrayList<>(List.of(0)); // of slices: known one by one
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

    /** As many selections as may be planned together. */
    private Slice slice(int from, ByChunk order, long bytesMax) {
        return areBoxes ? boxes(from, order, bytesMax) : plans(from, order, bytesMax);
    }

    private Slice boxes(int from, ByChunk order, long bytesMax) {
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
                boxes.size() == 1 // However many chunks it touches.
                        ? new GridPlan(boxes.getFirst(), metadata.chunkGrid())
                        : new BoxesPlan(boxes, metadata.shape(), metadata.chunkGrid());
        return new Slice(end - from, plan);
    }

    /** What a box takes, as far as that counts. */
    private long bytesOf(Region box, long touches, long bytesMax) {
        long inner = touches == 0 ? 0 : box.chunks(innerEdges);
        return BOX_BYTES
                + BOX_TOUCH_BYTES * Math.min(touches, bytesMax)
                + BOX_INNER_TOUCH_BYTES * Math.min(inner, bytesMax);
    }

    private Slice plans(int from, ByChunk order, long bytesMax) {
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

    private ChunkPlan together(List<ChunkPlan> plans, int from, ByChunk order) {
        long[] offsets = new long[plans.size()];
        Arrays.setAll(offsets, i -> targetOffset(selection(from + i, order)));
        return plans.size() == 1
                ? new MovedPlan(plans.getFirst(), offsets[0])
                : new BatchPlan(plans, offsets, metadata.shape(), metadata.chunkGrid());
    }

    /** {@code order} is null if they are planned as they come. */
    private static int selection(int i, ByChunk order) {
        return order == null ? i : order.thing(i);
    }
}
