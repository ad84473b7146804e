package io.zarrengine.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Catches crops that leave the array, lists that differ from run to run, and grids with holes. */
final class CropListTest {
    private static final long[] SHAPE = {10, 64};
    private static final long[] CROP = {4, 16};

    @Test
    void randomCropsLieInTheArrayAndReachItsEdges() {
        HashSet<Long> begins = new HashSet<>();
        for (String line : CropList.random(SHAPE, CROP, new long[] {1, 1}, 400, 5).lines()) {
            for (int d = 0; d < SHAPE.length; d++) {
                long[] range = range(line, d);
                assertTrue(range[0] >= 0 && range[1] <= SHAPE[d], line);
                assertEquals(CROP[d], range[1] - range[0], line);
            }
            begins.add(range(line, 0)[0]);
        }
        assertEquals(7, begins.size(), "0 to 10 - 4, both of them too");
    }

    @Test
    void alignedCropsBeginAtMultiples() {
        for (String line : CropList.random(SHAPE, CROP, CROP, 100, 5).lines()) {
            assertEquals(0, range(line, 0)[0] % 4, line);
            assertEquals(0, range(line, 1)[0] % 16, line);
        }
    }

    @Test
    void theSeedAloneDecides() {
        CropList first = CropList.random(SHAPE, CROP, CROP, 100, 5);
        assertEquals(first, CropList.random(SHAPE, CROP, CROP, 100, 5));
        assertNotEquals(first, CropList.random(SHAPE, CROP, CROP, 100, 6));
    }

    @Test
    void aGridHasEveryCellInCOrder() {
        assertEquals(
                List.of("0:2,0:3", "0:2,3:6", "2:4,0:3", "2:4,3:6"),
                CropList.grid(new long[] {4, 6}, new long[] {2, 3}).lines());
    }

    private static long[] range(String line, int d) {
        String[] ends = line.split(",", -1)[d].split(":", -1);
        return new long[] {Long.parseLong(ends[0]), Long.parseLong(ends[1])};
    }
}
