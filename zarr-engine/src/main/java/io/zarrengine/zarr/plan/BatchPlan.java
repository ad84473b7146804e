package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Combines several plans of one array. A chunk that several of them touch is read and decoded once.
 * Immutable; memory proportional to the number of plans and of the chunks that each touches.
 */
public final class BatchPlan implements ChunkPlan {
    /** Limit of the sorted numbers: 32 bits, with room to group them. */
    private static final long TOUCHES_MAX = Integer.MAX_VALUE / 2;

    private final List<? extends ChunkPlan> plans;
    private final long[] targetOffsets;
    private final int[] planOf; // (touches)
    private final int[] ordinalOf; // (touches), in the plan
    private final ByChunk byChunk; // touches

    /**
     * Combines plans.
     *
     * @param plans plans whose elements start at the front of the target
     * @param targetOffsets the target offset of each plan's elements, in bytes
     * @param shape the array's shape
     * @param grid the array's chunk grid
     * @throws IllegalArgumentException if the sum of the plans' touched chunks is more than 2^30
     */
    public BatchPlan(
            List<? extends ChunkPlan> plans, long[] targetOffsets, long[] shape, ChunkGrid grid) {
        this.plans = plans;
        this.targetOffsets = targetOffsets;
        long touches = plans.stream().mapToLong(ChunkPlan::chunks).sum();
        if (touches > TOUCHES_MAX) {
            throw new IllegalArgumentException(
                    "a batch that touches " + touches + " chunks, at most " + TOUCHES_MAX);
        }
        planOf = new int[(int) touches];
        ordinalOf = new int[(int) touches];
        long[] chunkNumbers = new long[(int) touches];
        long[] gridShape = grid.gridShape(shape);
        int touch = 0;
        for (int plan = 0; plan < plans.size(); plan++) {
            for (int ordinal = 0; ordinal < plans.get(plan).chunks(); ordinal++) {
                planOf[touch] = plan;
                ordinalOf[touch] = ordinal;
                chunkNumbers[touch++] = number(plans.get(plan).coordinates(ordinal), gridShape);
            }
        }
        byChunk = new ByChunk(chunkNumbers);
    }

    private static long number(long[] coordinates, long[] gridShape) {
        long number = 0;
        for (int d = 0; d < coordinates.length; d++) {
            number = number * gridShape[d] + coordinates[d];
        }
        return number;
    }

    @Override
    public long chunks() {
        return byChunk.chunks();
    }

    @Override
    public long partCount() {
        return plans.stream().mapToLong(ChunkPlan::partCount).sum();
    }

    @Override
    public long[] coordinates(long ordinal) {
        int touch = byChunk.thing(byChunk.first((int) ordinal));
        return plans.get(planOf[touch]).coordinates(ordinalOf[touch]);
    }

    @Override
    public List<Region> parts(long ordinal) {
        List<Region> parts = new ArrayList<>();
        int end = byChunk.first((int) ordinal + 1);
        for (int i = byChunk.first((int) ordinal); i < end; i++) {
            int touch = byChunk.thing(i);
            int plan = planOf[touch];
            for (Region part : plans.get(plan).parts(ordinalOf[touch])) {
                parts.add(part.moved(targetOffsets[plan]));
            }
        }
        return parts;
    }
}
