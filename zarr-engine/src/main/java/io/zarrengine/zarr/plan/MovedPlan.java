package io.zarrengine.zarr.plan;

import java.util.List;

/**
 * A plan whose elements go to another place in the target. Immutable.
 *
 * @param plan the plan, with elements at the start of the target
 * @param targetOffset offset of the elements in the target, in bytes
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
