package io.zarrengine.zarr.plan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * A sequence of plans, each created when one of its chunks is requested. It avoids keeping all
 * plans in memory at once. Threads: any.
 */
public final class SlicedPlan implements ChunkPlan {
    /**
     * Maximum number of slices in memory at once. Workers request chunks in order, and {@link
     * #mayBegin} limits them.
     */
    public static final int KEPT = 3;

    private final IntFunction<ChunkPlan> slices;
    private final long[] firstChunk; // (slices + 1)
    private final long partCount;
    private final Map<Integer, ChunkPlan> kept = new LinkedHashMap<>(); // guarded by this

    /**
     * Counts the chunks of all plans.
     *
     * @param slices creates the plan with a number, or returns null after the last; called more
     *     than once for a number with equal results, at first in ascending order
     */
    public SlicedPlan(IntFunction<ChunkPlan> slices) {
        this.slices = slices;
        LongStream.Builder begins = LongStream.builder();
        long chunks = 0;
        long parts = 0;
        int slice = 0;
        for (ChunkPlan plan = slices.apply(0); plan != null; plan = slices.apply(++slice)) {
            begins.add(chunks);
            chunks = Math.addExact(chunks, plan.chunks());
            parts += plan.partCount();
        }
        firstChunk = begins.add(chunks).build().toArray();
        partCount = parts;
    }

    @Override
    public long chunks() {
        return firstChunk[firstChunk.length - 1];
    }

    /**
     * {@return the end of the slice after the current one, so that chunks of two slices are in
     * progress}
     */
    @Override
    public long mayBegin(long ended) {
        return firstChunk[Math.min(sliceOf(ended) + 2, firstChunk.length - 1)];
    }

    @Override
    public long partCount() {
        return partCount;
    }

    @Override
    public long[] coordinates(long ordinal) {
        int slice = sliceOf(ordinal);
        return plan(slice).coordinates(ordinal - firstChunk[slice]);
    }

    @Override
    public List<Region> parts(long ordinal) {
        int slice = sliceOf(ordinal);
        return plan(slice).parts(ordinal - firstChunk[slice]);
    }

    private int sliceOf(long ordinal) {
        int found = Arrays.binarySearch(firstChunk, ordinal);
        if (found < 0) {
            return -found - 2;
        }
        while (firstChunk[found + 1] == ordinal) { // Skips slices without chunks.
            found++;
        }
        return found;
    }

    private synchronized ChunkPlan plan(int slice) {
        ChunkPlan plan = kept.get(slice);
        if (plan == null) {
            if (kept.size() == KEPT) {
                kept.remove(kept.keySet().iterator().next()); // Drops the oldest slice.
            }
            plan = slices.apply(slice);
            kept.put(slice, plan);
        }
        return plan;
    }
}
