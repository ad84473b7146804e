package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random orders, whose places are computed one by one. */
final class PermutationTest {
    private static List<Long> order(long count, long key) {
        Permutation permutation = new Permutation(count);
        return LongStream.range(0, count).map(place -> permutation.at(place, key)).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 16, 17, 1000, 65_536, 65_537})
    void everythingComesOnce(long count) {
        for (long key : new long[] {0, 1, -1, Long.MIN_VALUE, 0x1234_5678_9abc_def0L}) {
            Set<Long> all = new HashSet<>(order(count, key));
            assertEquals(count, all.size());
            assertTrue(all.stream().allMatch(at -> at >= 0 && at < count));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 62) - 1, (1L << 62) + 1, Long.MAX_VALUE})
    void findsPlacesOfVeryMany(long count) {
        Permutation permutation = new Permutation(count);
        Set<Long> some = new HashSet<>();
        for (long place : new long[] {0, 1, count / 2, count - 2, count - 1}) {
            long at = permutation.at(place, 5);
            assertTrue(at >= 0 && at < count, () -> place + " is at " + at);
            some.add(at);
        }
        assertEquals(5, some.size());
    }

    /** Each of 8 items has each of 8 places in an eighth of the orders, within chance. */
    @Test
    void givesEveryPlaceTheSameChance() {
        int orders = 20_000;
        SplittableRandom random = new SplittableRandom(1);
        int[][] counts = new int[8][8];
        for (int i = 0; i < orders; i++) {
            List<Long> order = order(8, random.nextLong());
            for (int place = 0; place < 8; place++) {
                counts[place][order.get(place).intValue()]++;
            }
        }
        double expected = orders / 8.0;
        double deviation = Math.sqrt(expected * 7 / 8);
        Arrays.stream(counts)
                .flatMapToInt(Arrays::stream)
                .forEach(count -> assertEquals(expected, count, 5 * deviation));
    }

    /** Neighbours do not stay neighbours: one pair in a hundred thousand does by chance. */
    @Test
    void leavesNoRuns() {
        List<Long> order = order(100_000, 42);
        long runs = 0;
        for (int place = 1; place < order.size(); place++) {
            runs += Math.abs(order.get(place) - order.get(place - 1)) == 1 ? 1 : 0;
        }
        assertTrue(runs < 12, runs + " neighbours"); // 2 are expected
    }
}
