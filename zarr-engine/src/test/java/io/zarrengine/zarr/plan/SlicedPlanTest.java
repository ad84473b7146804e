package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Consecutive plans as one equal the same plans one by one. */
final class SlicedPlanTest {
    private static final long[] SHAPE = {30, 40};
    private static final ChunkGrid GRID = ChunkGrid.regular(new long[] {7, 9});

    /** Returns random plans, some of them empty. */
    private static List<ChunkPlan> randomPlans(SplittableRandom random) {
        List<ChunkPlan> plans = new ArrayList<>();
        for (int i = random.nextInt(12); i >= 0; i--) {
            Region region = Positions.random(random, SHAPE);
            if (random.nextInt(3) == 0) {
                long[] none = {0, 0};
                region = new Region(none, new long[] {1, 1}, none, none, 0);
            }
            plans.add(new GridPlan(region, GRID));
        }
        return plans;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void hasTheChunksOfAllInTheirOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            List<ChunkPlan> plans = randomPlans(random);
            SlicedPlan sliced = new SlicedPlan(i -> i < plans.size() ? plans.get(i) : null);
            long ordinal = 0;
            long parts = 0;
            for (ChunkPlan plan : plans) {
                for (long i = 0; i < plan.chunks(); i++, ordinal++) {
                    assertArrayEquals(plan.coordinates(i), sliced.coordinates(ordinal));
                    List<Region> actual = sliced.parts(ordinal);
                    assertEquals(1, actual.size());
                    Region expected = plan.parts(i).getFirst();
                    assertEquals(expected.targetOffset(), actual.getFirst().targetOffset());
                    assertEquals(expected.elements(), actual.getFirst().elements());
                }
                parts += plan.partCount();
            }
            assertEquals(ordinal, sliced.chunks());
            assertEquals(parts, sliced.partCount());
        }
    }

    @Test
    void allowsChunksOfTwoSlicesAtOnce() {
        long[] lengths = {5, 0, 3, 4, 2}; // chunks of the slices
        SlicedPlan sliced = new SlicedPlan(i -> i < lengths.length ? row(lengths[i]) : null);
        assertEquals(5, sliced.mayBegin(0));
        assertEquals(5, sliced.mayBegin(4));
        assertEquals(12, sliced.mayBegin(5));
        assertEquals(12, sliced.mayBegin(7));
        assertEquals(14, sliced.mayBegin(8));
        assertEquals(14, sliced.mayBegin(13));
    }

    private static ChunkPlan row(long chunks) {
        long[] one = {1, 1};
        Region region = new Region(new long[2], one, new long[] {1, 9 * chunks}, one, 0);
        return new GridPlan(region, GRID);
    }

    /** One time to count its chunks, and one time to read it. */
    @Test
    void makesEachPlanTwiceIfItIsReadInOrder() {
        AtomicInteger made = new AtomicInteger();
        Region all = Region.whole(List.of(30L, 40L), 1);
        SlicedPlan sliced =
                new SlicedPlan(slice -> {
                    if (slice == 10) {
                        return null;
                    }
                    made.incrementAndGet();
                    return new GridPlan(all, GRID);
                });
        assertEquals(10, made.get());
        for (long ordinal = 0; ordinal < sliced.chunks(); ordinal++) {
            sliced.coordinates(ordinal);
            sliced.parts(Math.max(0, ordinal - 30)); // a late worker
        }
        assertEquals(20, made.get());
        sliced.parts(0);
        assertTrue(made.get() > 20, "all of them are kept");
    }
}
