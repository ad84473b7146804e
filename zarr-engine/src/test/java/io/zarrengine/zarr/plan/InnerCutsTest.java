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

/** Each selected element of a shard is in one piece, of the right inner chunk. */
final class InnerCutsTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void cutsAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 600; round++) {
            int rank = random.nextInt(6);
            long[] inner = random.longs(rank, 1, rank < 4 ? 7 : 4).toArray();
            long[] chunks = random.longs(rank, 1, rank < 4 ? 6 : 3).toArray();
            long[] shard = new long[rank];
            for (int d = 0; d < rank; d++) {
                shard[d] = inner[d] * chunks[d];
            }
            Region region = Positions.random(random, shard);
            InnerCuts cuts = new InnerCuts(region, inner, chunks);
            Map<String, Long> actual = new TreeMap<>();
            int before = -1;
            for (int piece = 0; piece < cuts.pieces(); piece++) {
                int number = cuts.chunk(piece);
                assertTrue(number > before, "not in C order");
                before = number;
                Positions.put(actual, coordinates(number, chunks), part(cuts, piece));
            }
            assertEquals(Positions.expected(region, inner), actual);
        }
    }

    private static Region part(InnerCuts cuts, int piece) {
        Region part = Region.ofRank(cuts.rank());
        cuts.part(piece, part);
        return part;
    }

    /** Counts through the chunks of a shard, instead of dividing. */
    private static long[] coordinates(int number, long[] chunks) {
        long[] coordinates = new long[chunks.length];
        for (int i = 0; i < number; i++) {
            int d = chunks.length - 1;
            while (++coordinates[d] == chunks[d]) {
                coordinates[d--] = 0;
            }
        }
        return coordinates;
    }

    @Test
    void oneElementIsOnePiece() {
        Region region = new Region(new long[0], new long[0], new long[0], new long[0], 5);
        InnerCuts cuts = new InnerCuts(region, new long[0], new long[0]);
        assertEquals(1, cuts.pieces());
        assertEquals(0, cuts.chunk(0));
        assertEquals(5, part(cuts, 0).targetOffset());
    }

    @Test
    void innerChunksMayBeHuge() {
        long inner = 1L << 60;
        Region region =
                new Region(
                        new long[] {inner - 1},
                        new long[] {inner},
                        new long[] {3},
                        new long[] {-8},
                        16);
        InnerCuts cuts = new InnerCuts(region, new long[] {inner}, new long[] {3});
        List<Long> starts = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        for (int piece = 0; piece < cuts.pieces(); piece++) {
            assertEquals(piece, cuts.chunk(piece));
            starts.add(part(cuts, piece).start(0));
            offsets.add(part(cuts, piece).targetOffset());
        }
        assertEquals(List.of(inner - 1, inner - 1, inner - 1), starts);
        assertEquals(List.of(16L, 8L, 0L), offsets);
    }

    /** A shard with the maximum count of inner chunks: the last number is right. */
    @Test
    void aShardMayHaveManyChunks() {
        long chunks = 1L << 13;
        Region region =
                new Region(
                        new long[] {0, 1},
                        new long[] {1, 2},
                        new long[] {2 * chunks, chunks / 2},
                        new long[] {8 * chunks, 8},
                        0);
        InnerCuts cuts = new InnerCuts(region, new long[] {2, 1}, new long[] {chunks, chunks});
        assertEquals(chunks * chunks / 2, cuts.pieces());
        int last = cuts.pieces() - 1;
        assertEquals(chunks * chunks - 1, cuts.chunk(last));
        assertEquals(2, part(cuts, last).elements());
    }
}
