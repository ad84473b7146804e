package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

/** Lists beside slices: each byte of the target gets the right element of the right chunk. */
final class OrthogonalPlanTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void cutsAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 600; round++) {
            int rank = 1 + random.nextInt(4);
            long[] shape = random.longs(rank, 1, rank < 3 ? 20 : 8).toArray();
            long[][] listed = new long[rank][];
            Region region = random(random, shape, listed);
            ChunkGrid grid = grid(random, shape);
            OrthogonalPlan plan = new OrthogonalPlan(region, listed, grid);
            Map<Long, String> actual = new TreeMap<>();
            long[] before = null;
            long parts = 0;
            for (long ordinal = 0; ordinal < plan.chunks(); ordinal++) {
                long[] chunk = plan.coordinates(ordinal);
                assertTrue(before == null || Arrays.compare(before, chunk) < 0, "not in C order");
                before = chunk;
                List<Region> ofChunk = plan.parts(ordinal);
                assertFalse(ofChunk.isEmpty(), "a chunk without a position");
                parts += ofChunk.size();
                ofChunk.forEach(part -> put(actual, chunk, part));
            }
            assertEquals(expected(region, listed, grid), actual);
            assertEquals(parts, plan.partCount());
        }
    }

    private static void put(Map<Long, String> bytes, long[] chunk, Region part) {
        Positions.forEach(
                part,
                (position, at) -> {
                    String before = bytes.put(at, name(chunk, position));
                    assertEquals(null, before, () -> "byte " + at + " is written twice");
                });
    }

    private static String name(long[] chunk, long[] position) {
        return Arrays.toString(position) + " of chunk " + Arrays.toString(chunk);
    }

    /** Looks up one element after the other. */
    private static Map<Long, String> expected(Region region, long[][] listed, ChunkGrid grid) {
        int rank = listed.length;
        long[] zeros = new long[rank];
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        Region indexes =
                new Region(zeros, ones, region.count, region.targetStride, region.targetOffset);
        Map<Long, String> bytes = new TreeMap<>();
        Positions.forEach(
                indexes,
                (index, at) -> {
                    long[] chunk = new long[rank];
                    long[] inChunk = new long[rank];
                    for (int d = 0; d < rank; d++) {
                        int i = (int) index[d];
                        long position =
                                listed[d] == null
                                        ? region.start[d] + i * region.step[d]
                                        : listed[d][i];
                        ChunkEdges edges = grid.dimensions().get(d);
                        chunk[d] = edges.chunkOf(position);
                        inChunk[d] = position - edges.origin(chunk[d]);
                    }
                    bytes.put(at, name(chunk, inChunk));
                });
        return bytes;
    }

    /**
     * Returns slices in either direction, and lists in any order; elements of 8 bytes in C order.
     */
    private static Region random(SplittableRandom random, long[] shape, long[][] listed) {
        Region slices = Positions.random(random, shape);
        long[] stride = new long[shape.length];
        long bytes = 8;
        long offset = 0;
        for (int d = shape.length - 1; d >= 0; d--) {
            stride[d] = bytes;
            if (random.nextBoolean()) {
                slices.count[d] = random.nextLong(1, 9);
                listed[d] = random.longs(slices.count[d], 0, shape[d]).toArray();
                if (random.nextBoolean()) { // neighbours become runs
                    Arrays.sort(listed[d]);
                }
            } else if (random.nextBoolean()) {
                offset += (slices.count[d] - 1) * bytes;
                stride[d] = -bytes;
            }
            bytes *= slices.count[d];
        }
        return new Region(slices.start, slices.step, slices.count, stride, offset);
    }

    /** Returns a grid of chunks of one length, or of their own length each. */
    private static ChunkGrid grid(SplittableRandom random, long... shape) {
        List<ChunkEdges> dimensions = new ArrayList<>();
        for (long length : shape) {
            if (random.nextBoolean()) {
                dimensions.add(ChunkEdges.regular(random.nextLong(1, 9)));
            } else { // as many as necessary if each has one position
                dimensions.add(ChunkEdges.of(random.longs(length, 1, 6).toArray()));
            }
        }
        return new ChunkGrid(dimensions);
    }

    /** A slice needs no memory for its positions, which would be 2^63 bytes. */
    @Test
    void plansAListBesideABillionBillionChunksWithoutCost() {
        long length = 1L << 60;
        Region region =
                new Region(
                        new long[] {0, 1},
                        new long[] {1, 2},
                        new long[] {2, length / 2},
                        new long[] {length / 2, -1},
                        length / 2 - 1);
        OrthogonalPlan plan =
                new OrthogonalPlan(region, new long[][] {{2, 0}, null}, ChunkGrid.regular(1, 3));
        long columns = (length - 1) / 3 + 1;
        assertEquals(2 * columns, plan.chunks());
        assertEquals(2 * columns, plan.partCount());
        assertArrayEquals(new long[] {0, 0}, plan.coordinates(0));
        assertArrayEquals(new long[] {2, columns - 1}, plan.coordinates(2 * columns - 1));
        assertEquals(length - 1, plan.parts(0).getFirst().targetOffset());
        Region last = plan.parts(2 * columns - 1).getFirst();
        assertEquals(0, last.targetOffset() + (last.count(1) - 1) * last.targetStride(1));
    }
}
