package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.metadata.ChunkGrid;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each selected element is in one piece, of the right chunk, with the right byte offset. */
final class GridPlanTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void cutsAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 600; round++) {
            int rank = random.nextInt(6);
            long[] shape = random.longs(rank, 1, rank < 4 ? 20 : 7).toArray();
            long[] chunkShape = random.longs(rank, 1, 8).toArray();
            Region region = Positions.random(random, shape);
            GridPlan plan = new GridPlan(region, ChunkGrid.regular(chunkShape));
            Map<String, Long> actual = new TreeMap<>();
            long[] before = null;
            for (long ordinal = 0; ordinal < plan.chunks(); ordinal++) {
                long[] chunk = plan.coordinates(ordinal);
                assertTrue(before == null || Arrays.compare(before, chunk) < 0, "not in C order");
                before = chunk;
                Region part = plan.part(ordinal);
                assertTrue(part.elements() > 0, "a chunk without a position");
                Positions.put(actual, chunk, part);
            }
            assertEquals(Positions.expected(region, chunkShape), actual);
            assertEquals(region.elements(), actual.size());
        }
    }

    @Test
    void needsNoChunkForAnEmptySelection() {
        Region region =
                new Region(
                        new long[] {0, 3},
                        new long[] {1, 1},
                        new long[] {0, 5},
                        new long[] {40, 8},
                        0);
        assertEquals(0, new GridPlan(region, ChunkGrid.regular(new long[] {2, 2})).chunks());
    }

    @Test
    void anArrayWithoutDimensionsIsOneChunk() {
        Region region = new Region(new long[0], new long[0], new long[0], new long[0], 5);
        GridPlan plan = new GridPlan(region, ChunkGrid.regular(new long[0]));
        assertEquals(1, plan.chunks());
        assertArrayEquals(new long[0], plan.coordinates(0));
        assertEquals(5, plan.part(0).targetOffset());
        assertEquals(1, plan.part(0).elements());
    }

    /** Only the requested chunk is computed. */
    @Test
    void plansABillionBillionChunksWithoutCost() {
        long length = 1L << 31;
        Region region =
                new Region(
                        new long[] {1, 0},
                        new long[] {1, 2},
                        new long[] {length - 1, length / 2},
                        new long[] {length / 2, 1},
                        0);
        GridPlan plan = new GridPlan(region, ChunkGrid.regular(new long[] {2, 3}));
        long rows = length / 2;
        long columns = (length - 2) / 3 + 1;
        assertEquals(rows * columns, plan.chunks());
        long last = plan.chunks() - 1;
        assertArrayEquals(new long[] {rows - 1, columns - 1}, plan.coordinates(last));
        Region part = plan.part(last);
        assertEquals(region.elements() - 1, lastByte(part));
    }

    private static long lastByte(Region part) {
        long at = part.targetOffset();
        for (int d = 0; d < part.rank(); d++) {
            at += (part.count(d) - 1) * part.targetStride(d);
        }
        return at;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void permutedHasTheSameElementsInOtherDimensions(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 200; round++) {
            int rank = random.nextInt(6);
            Region region = Positions.random(random, random.longs(rank, 1, 6).toArray());
            Integer[] order = new Integer[rank];
            Arrays.setAll(order, d -> d);
            for (int d = rank - 1; d > 0; d--) {
                int other = random.nextInt(d + 1);
                Integer swapped = order[d];
                order[d] = order[other];
                order[other] = swapped;
            }
            Map<String, Long> expected = new TreeMap<>();
            Positions.forEach(
                    region,
                    (position, at) -> {
                        long[] moved = new long[rank];
                        Arrays.setAll(moved, d -> position[order[d]]);
                        expected.put(Arrays.toString(moved), at);
                    });
            Map<String, Long> actual = new TreeMap<>();
            Positions.forEach(
                    region.permuted(Arrays.asList(order)),
                    (position, at) -> actual.put(Arrays.toString(position), at));
            assertEquals(expected, actual);
        }
    }
}
