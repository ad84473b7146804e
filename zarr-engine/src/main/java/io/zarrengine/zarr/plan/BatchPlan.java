package io.zarrengine.zarr.plan;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;

/**
 * Combines several plans of one array. A chunk that several of them touch is read and decoded once.
 * Immutable; memory proportional to the number of plans and of the chunks that each touches.
 */
public final class BatchPlan implements ChunkPlan {
    /** Most pairs of a plan and a chunk: 32 bits, with room to group them. */
    private static final long PAIRS_MAX = Integer.MAX_VALUE / 2;

    private final List<? extends ChunkPlan> plans;
    private final long[] targetOffsets;
    private final int[] planOf; // of each pair of a plan and one of its chunks
    private final int[] ordinalOf; // of each pair, in the plan
    private final ChunkGroups byChunk; // pairs

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
        long pairs = plans.stream().mapToLong(ChunkPlan::chunks).sum();
        if (pairs > PAIRS_MAX) {
            throw new IllegalArgumentException(
                    "a batch that touches " + pairs + " chunks, at most " + PAIRS_MAX);
        }
        planOf = new int[(int) pairs];
        ordinalOf = new int[(int) pairs];
        long[] chunkNumbers = new long[(int) pairs];
        long[] gridShape = grid.gridShape(shape);
        int pair = 0;
        for (int plan = 0; plan < plans.size(); plan++) {
            for (int ordinal = 0; ordinal < plans.get(plan).chunks(); ordinal++) {
                planOf[pair] = plan;
                ordinalOf[pair] = ordinal;
                chunkNumbers[pair++] = number(plans.get(plan).coordinates(ordinal), gridShape);
            }
        }
        byChunk = new ChunkGroups(chunkNumbers);
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
        int pair = byChunk.item(byChunk.first((int) ordinal));
        return plans.get(planOf[pair]).coordinates(ordinalOf[pair]);
    }

    @Override
    public List<Region> parts(long ordinal) {
        List<Region> parts = new ArrayList<>();
        int end = byChunk.first((int) ordinal + 1);
        for (int i = byChunk.first((int) ordinal); i < end; i++) {
            int pair = byChunk.item(i);
            int plan = planOf[pair];
            for (Region part : plans.get(plan).parts(ordinalOf[pair])) {
                parts.add(part.moved(targetOffsets[plan]));
            }
        }
        return parts;
    }
}
