package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.metadata.ChunkEdges;
import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many boxes as one plan equal the plan of each, and a plan of those plans. */
final class BoxesPlanTest {
    private static ChunkGrid randomGrid(SplittableRandom random, long[] shape) {
        List<ChunkEdges> edges = new ArrayList<>();
        for (long length : shape) {
            edges.add(
                    random.nextBoolean()
                            ? ChunkEdges.regular(1 + random.nextLong(7))
                            : ChunkEdges.of(1 + random.nextLong(5), 3, 1, length));
        }
        return new ChunkGrid(edges);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void wantsWhatEachBoxWants(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            long[] shape = random.longs(random.nextInt(4), 1, 25).toArray();
            ChunkGrid grid = randomGrid(random, shape);
            List<Region> boxes = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                boxes.add(Positions.random(random, shape));
            }
            List<GridPlan> plans = boxes.stream().map(box -> new GridPlan(box, grid)).toList();
            BoxesPlan plan = new BoxesPlan(boxes, shape, grid);
            BatchPlan twin = new BatchPlan(plans, new long[boxes.size()], shape, grid);

            assertEquals(described(twin), described(plan));
            assertEquals(twin.chunks(), plan.chunks());
            assertEquals(twin.partCount(), plan.partCount());
        }
    }

    private static Map<String, List<String>> described(ChunkPlan plan) {
        Map<String, List<String>> described = new TreeMap<>();
        for (long ordinal = 0; ordinal < plan.chunks(); ordinal++) {
            List<String> parts = plan.parts(ordinal).stream().map(Positions::describe).toList();
            described.put(Arrays.toString(plan.coordinates(ordinal)), parts);
        }
        return described;
    }

    @Test
    void boxesFitBesideTheNumbersOfChunks() {
        long[] shape = {1L << 40, 1L << 20};
        ChunkGrid grid = ChunkGrid.regular(1, 1);
        assertTrue(BoxesPlan.fit(3, shape, grid), "60 bits and 2");
        assertFalse(BoxesPlan.fit(4, shape, grid), "60 bits and 3");
        assertFalse(BoxesPlan.fit(1, new long[] {Long.MAX_VALUE, 4}, grid));
    }

    @Test
    void theLastChunkOfALargeGridHasItsNumber() {
        long[] shape = {1L << 40, 1L << 20};
        long[] one = {1, 1};
        Region box = new Region(new long[] {shape[0] - 1, shape[1] - 1}, one, one, one, 5);
        BoxesPlan plan = new BoxesPlan(List.of(box, box, box), shape, ChunkGrid.regular(1, 1));
        assertEquals(1, plan.chunks());
        assertEquals("[1099511627775, 1048575]", Arrays.toString(plan.coordinates(0)));
        assertEquals(3, plan.parts(0).size());
    }

    /** The end of the last chunk has 64 bits. */
    @Test
    void theLastChunkMayReachBeyond63Bits() {
        long length = (1L << 62) + 1;
        long[] shape = {Long.MAX_VALUE};
        ChunkGrid grid = ChunkGrid.regular(length);
        long[] one = {1};
        Region all = new Region(new long[1], new long[] {length}, new long[] {2}, one, 0);
        Region last = new Region(new long[] {Long.MAX_VALUE - 1}, one, one, one, 7);
        BoxesPlan plan = new BoxesPlan(List.of(all, last), shape, grid);
        assertEquals(2, plan.chunks());
        assertEquals(1, plan.parts(0).getFirst().elements());
        assertEquals(1, plan.parts(1).getFirst().elements());
        assertEquals(1, plan.parts(1).getLast().elements());
    }
}
