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

/** Selections of one array whose elements go one after the other into a target. Immutable. */
public final class SelectionBatch implements SelectedElements {
    /** Bytes of the region of a box that shares its shape with others. */
    private static final long BOX_BYTES = 100;

    /**
     * Bytes for each chunk that a box touches: the entry in {@link BoxesPlan}, and the region
     * during the read.
     */
    private static final long BOX_TOUCH_BYTES = 8 + 4 + 150;

    /** Bytes for each inner chunk that a box touches, while its shard is read. */
    private static final long BOX_INNER_TOUCH_BYTES = 8 + 4;

    /** Bytes for each plan: 430 for the plan itself, about 200 for its state during a read. */
    private static final long PLAN_BYTES = 640;

    /**
     * Bytes for each chunk that a plan touches, while a {@link BatchPlan} is built. Later it keeps
     * 16.
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
     * A group of at least one selection, planned together.
     *
     * @param count the number of selections
     * @param plan their plan
     */
    private record Slice(int count, ChunkPlan plan) {}

    /**
     * Resolves each selection once here, and again for each plan. No resolved selection is kept.
     *
     * @param metadata metadata of the array
     * @param innerShape shape of the smallest chunks that can be read on their own
     * @param count number of selections
     * @param selections resolves a selection by its number
     * @param planBytesMax maximum size of a plan in bytes
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
        long[] shape = null; // of all selections, as long as they are equal
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

    /** Returns the number of the inner chunk where a selection begins, in C order of the array. */
    private long place(int i) {
        ResolvedSelection resolved = resolve(i);
        long place = 0;
        for (int d = 0; d < innerShape.length; d++) {
            long chunks = Math.ceilDiv(metadata.shape()[d], innerShape[d]);
            place = place * chunks + resolved.start(d) / innerShape[d];
        }
        // Used only for sorting. Numbers of 2^63 chunks may overflow.
        return place & Long.MAX_VALUE;
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
     * {@return the number of selections, then the shape of each; or the number of all elements if
     * shapes differ}
     */
    @Override
    public long[] resultShape() {
        return resultShape;
    }

    /**
     * {@return a plan that has each touched chunk once, or once in each slice of the selections}
     */
    @Override
    public ChunkPlan plan() {
        Slice all = slice(0, null, planBytesMax);
        if (all.count() == count) {
            return all.plan();
        }
        IntStream numbers = IntStream.range(0, count);
        // Sorted, so that selections of a slice share chunks.
        ByChunk order = new ByChunk(numbers.mapToLong(this::place).toArray());
        // first selection of each slice; filled slice by slice
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

    /** Returns a plan of as many selections as fit in {@code bytesMax}. */
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
                boxes.size() == 1 // A box may touch any number of chunks.
                        ? new GridPlan(boxes.getFirst(), metadata.chunkGrid())
                        : new BoxesPlan(boxes, metadata.shape(), metadata.chunkGrid());
        return new Slice(end - from, plan);
    }

    /** Returns the bytes of a box, limited to avoid overflow. */
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

    /** Returns the i-th selection in an order; {@code order} is null for the original order. */
    private static int selection(int i, ByChunk order) {
        return order == null ? i : order.thing(i);
    }
}
