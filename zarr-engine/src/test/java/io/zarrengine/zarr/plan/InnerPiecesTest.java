package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several regions of a shard: each inner chunk comes once, with the parts of all regions. */
final class InnerPiecesTest {
    /** The slow twin cuts each region by itself, and finds the pieces by their chunk. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void cutsAsEachRegionIsCutAlone(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            int rank = random.nextInt(5);
            long[] inner = random.longs(rank, 1, 9).toArray();
            long[] chunks = random.longs(rank, 1, 5).toArray();
            long[] shard = new long[rank];
            for (int d = 0; d < rank; d++) {
                shard[d] = inner[d] * chunks[d];
            }
            List<Region> regions = new ArrayList<>();
            for (int i = random.nextInt(7); i >= 0; i--) {
                regions.add(Positions.random(random, shard));
            }
            Map<Integer, List<String>> expected = new TreeMap<>();
            for (Region region : regions) {
                InnerPieces alone = new InnerPieces(List.of(region), inner, chunks);
                for (int piece = 0; piece < alone.pieces(); piece++) {
                    expected.computeIfAbsent(alone.chunk(piece), chunk -> new ArrayList<>())
                            .add(Positions.describe(alone.parts(piece).getFirst()));
                }
            }
            InnerPieces pieces = new InnerPieces(regions, inner, chunks);
            assertEquals(expected, described(pieces));
            assertCursorFinds(pieces, random);
        }
    }

    /** Asserts that a cursor finds the pieces when it jumps, with the dimensions in any order. */
    private static void assertCursorFinds(InnerPieces pieces, SplittableRandom random) {
        List<Integer> order = new ArrayList<>();
        for (int d = 0; d < pieces.rank(); d++) {
            order.add(random.nextInt(d + 1), d);
        }
        PieceCursor cursor = new PieceCursor();
        for (int i = 0; i < 20; i++) {
            int piece = random.nextInt(pieces.pieces());
            boolean isPermuted = random.nextBoolean();
            cursor.set(pieces, piece, isPermuted ? order : null);
            List<Region> expected = pieces.parts(piece);
            if (isPermuted) {
                expected = expected.stream().map(region -> permuted(region, order)).toList();
            }
            List<Region> kept = cursor.toList();
            assertEquals(expected.size(), cursor.size());
            for (int part = 0; part < cursor.size(); part++) {
                assertEquals(
                        Positions.describe(expected.get(part)),
                        Positions.describe(cursor.get(part)));
                assertEquals(
                        Positions.describe(expected.get(part)), Positions.describe(kept.get(part)));
            }
        }
    }

    /** Permutes in another way than the cursor and {@link Region#permuted}. */
    private static Region permuted(Region region, List<Integer> order) {
        return new Region(
                order.stream().mapToLong(region::start).toArray(),
                order.stream().mapToLong(region::step).toArray(),
                order.stream().mapToLong(region::count).toArray(),
                order.stream().mapToLong(region::targetStride).toArray(),
                region.targetOffset());
    }

    private static Map<Integer, List<String>> described(InnerPieces pieces) {
        Map<Integer, List<String>> described = new TreeMap<>();
        int before = -1;
        for (int piece = 0; piece < pieces.pieces(); piece++) {
            assertTrue(pieces.chunk(piece) > before, "not in C order");
            before = pieces.chunk(piece);
            described.put(before, pieces.parts(piece).stream().map(Positions::describe).toList());
        }
        return described;
    }

    /** Numbers of chunks and of regions that need all their bits. */
    @Test
    void manyRegionsInAShardOfManyChunks() {
        long chunks = 1L << 30;
        List<Region> regions = new ArrayList<>();
        for (int i = 0; i < 1024; i++) {
            long[] one = {1};
            regions.add(new Region(new long[] {chunks - 1 - i / 2}, one, one, one, i));
        }
        InnerPieces pieces = new InnerPieces(regions, new long[] {1}, new long[] {chunks});
        assertEquals(512, pieces.pieces());
        assertEquals(chunks - 1, pieces.chunk(511));
        assertEquals(
                List.of(1022L, 1023L), pieces.parts(0).stream().map(Region::targetOffset).toList());
    }
}
