package io.zarrengine.zarr.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.Selection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Samples follow from their numbers. Fails if one is outside the array, missing or too frequent.
 */
final class SamplerTest {
    private static List<String> all(Sampler sampler) {
        return LongStream.range(0, sampler.count())
                .mapToObj(number -> sampler.get(number).toString())
                .toList();
    }

    private static String box(long[] corner, long... shape) {
        return Selection.box(corner, shape).toString();
    }

    @Test
    void windowsLieAlongADimension() {
        Sampler sampler = Sampler.windows(new long[] {3, 10}, 1, 4, 3);
        List<String> expected =
                List.of(
                        box(new long[] {0, 0}, 3, 4),
                        box(new long[] {0, 3}, 3, 4),
                        box(new long[] {0, 6}, 3, 4));
        assertEquals(expected, all(sampler));
    }

    @Test
    void slidingWindowsCoverTheArrayInOrder() {
        List<String> expected = new ArrayList<>();
        for (int y = 0; y + 2 <= 5; y += 2) {
            for (int x = 0; x + 3 <= 7; x++) {
                expected.add(box(new long[] {y, x}, 2, 3));
            }
        }
        assertEquals(
                expected,
                all(Sampler.sliding(new long[] {5, 7}, new long[] {2, 3}, new long[] {2, 1})));
    }

    private static Map<String, Integer> counts(Sampler sampler, int samples) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < samples; i++) {
            counts.merge(sampler.get(i).toString(), 1, Integer::sum);
        }
        return counts;
    }

    /** Each of 12 places has a twelfth of the crops, within 5 standard deviations. */
    @Test
    void cropsAreUniform() {
        RandomCrops crops = Sampler.crops(new long[] {5, 6}, new long[] {3, 3}, 1);
        Map<String, Integer> counts = counts(crops, 12_000);
        assertEquals(12, counts.size());
        counts.forEach((crop, count) ->
                assertTrue(Math.abs(count - 1000) < 150, () -> crop + " " + count));
        assertEquals(
                counts, counts(Sampler.crops(new long[] {5, 6}, new long[] {3, 3}, 1), 12_000));
        assertNotEquals(
                counts, counts(Sampler.crops(new long[] {5, 6}, new long[] {3, 3}, 2), 12_000));
    }

    /** 7 places in 3 cells of 3, 2 and 2. */
    @Test
    void weightsChooseTheCell() {
        RandomCrops crops = Sampler.crops(new long[] {10}, new long[] {4}, 1);
        Map<String, Integer> counts = counts(crops.weights(new long[] {3}, 3, 0, 1), 12_000);
        Set<String> places = new HashSet<>();
        for (long place : new long[] {0, 1, 2}) {
            places.add(box(new long[] {place}, 4));
            int count = counts.get(box(new long[] {place}, 4));
            assertTrue(Math.abs(count - 3000) < 250, () -> place + " " + count);
        }
        for (long place : new long[] {5, 6}) {
            places.add(box(new long[] {place}, 4));
            int count = counts.get(box(new long[] {place}, 4));
            assertTrue(Math.abs(count - 1500) < 200, () -> place + " " + count);
        }
        assertEquals(places, counts.keySet());
    }

    @Test
    void aMaskLeavesAllowedPlacesEquallyLikely() {
        RandomCrops crops =
                Sampler.crops(new long[] {10}, new long[] {4}, 1)
                        .mask(new long[] {3}, true, false, true);
        Map<String, Integer> counts = counts(crops, 10_000);
        assertEquals(5, counts.size());
        counts.forEach((crop, count) ->
                assertTrue(Math.abs(count - 2000) < 220, () -> crop + " " + count));
    }

    @Test
    void refusesWhatDoesNotFit() {
        long[] shape = {5, 6};
        long[] one = {1, 1};
        assertRefused(() -> Sampler.crops(shape, new long[] {6, 1}, 1));
        assertRefused(() -> Sampler.crops(shape, new long[] {1}, 1));
        assertRefused(() -> Sampler.crops(shape, new long[] {0, 1}, 1));
        assertRefused(() -> Sampler.sliding(shape, one, new long[] {0, 1}));
        assertRefused(() -> Sampler.sliding(shape, one, new long[] {1}));
        assertRefused(() -> Sampler.windows(shape, 2, 1, 1));
        assertRefused(() -> Sampler.windows(shape, 0, 6, 1));
        RandomCrops crops = Sampler.crops(shape, one, 1);
        assertRefused(() -> crops.weights(new long[] {1, 2}, 1));
        assertRefused(() -> crops.weights(new long[] {1, 2}, 1, -1));
        assertRefused(() -> crops.weights(new long[] {1, 2}, 1, Double.NaN));
        assertRefused(() -> crops.weights(new long[] {1, 2}, 0, 0));
        assertRefused(() -> crops.weights(new long[] {1, 7}, 0, 0, 0, 0, 0, 0, 1));
        assertRefused(() -> crops.mask(new long[] {1, 1}, false));
    }

    private static void assertRefused(Runnable call) {
        assertThrows(IllegalArgumentException.class, call::run);
    }
}
