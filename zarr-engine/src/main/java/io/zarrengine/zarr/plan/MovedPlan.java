package io.zarrengine.zarr.plan;

import java.util.List;

/**
 * A plan with its elements moved in the target. Immutable.
 *
 * @param plan the plan, with elements at the front of the target
 * @param targetOffset the target offset of the elements, in bytes
 */
public record MovedPlan(ChunkPlan plan, long targetOffset) implements ChunkPlan {
    @Override
    public long chunks() {
        return plan.chunks();
    }

    @Override
    public long partCount() {
        return plan.partCount();
    }

    @Override
    public long[] coordinates(long ordinal) {
        return plan.coordinates(ordinal);
    }

    @Override
    public List<Region> parts(long ordinal) {
        return plan.parts(ordinal).stream().map(part -> part.moved(targetOffset)).toList();
    }
}
