package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Grouping by chunk equals a map of lists. */
final class ChunkGroupsTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void groupsAsAMapDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            int items = random.nextInt(50);
            // The large numbers leave no room, or just enough, to sort an item's number with them.
            long[] bases = {
                0, Long.MAX_VALUE / 51, Long.MAX_VALUE / (items + 1), Long.MAX_VALUE - 20
            };
            long base = bases[random.nextInt(bases.length)];
            base = Math.min(base, Long.MAX_VALUE - 20);
            long[] numbers = random.longs(items, base, base + 20).toArray();
            TreeMap<Long, List<Integer>> expected = new TreeMap<>();
            for (int i = 0; i < items; i++) {
                expected.computeIfAbsent(numbers[i], number -> new ArrayList<>()).add(i);
            }
            List<List<Integer>> actual = new ArrayList<>();
            ChunkGroups byChunk = new ChunkGroups(numbers);
            for (int chunk = 0; chunk < byChunk.chunks(); chunk++) {
                List<Integer> inChunk = new ArrayList<>();
                for (int i = byChunk.first(chunk); i < byChunk.first(chunk + 1); i++) {
                    inChunk.add(byChunk.item(i));
                }
                actual.add(inChunk);
            }
            assertEquals(List.copyOf(expected.values()), actual);
        }
    }
}
