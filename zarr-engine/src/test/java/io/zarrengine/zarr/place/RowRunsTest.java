package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Block by block, the rows cover the box: each element once, in the order of the source. */
final class RowRunsTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void rowsOfBlocksAreTheBox(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox();
        RowRuns runs = new RowRuns(); // reused, as by a worker
        int boxes = 0;
        for (int round = 0; round < 3000; round++) {
            int unit = 1 << random.nextInt(4);
            Layout layout = Layout.random(random, unit * (1 + random.nextInt(2)));
            box.set(layout.region(), layout.chunkLengths(), layout.elementBytes());
            if (box.hasRowsInSourceOrder()) {
                check(random, layout, box, runs, unit);
                boxes++;
            }
        }
        assertTrue(boxes > 1000, boxes + " of 3000 boxes have rows in order");
    }

    private static void check(
            SplittableRandom random, Layout layout, StridedBox box, RowRuns runs, int unit) {
        TreeMap<Long, Long> expected = new TreeMap<>(); // target bytes by source bytes, in units
        layout.forEach((source, target) -> {
            for (long at = 0; at < layout.elementBytes(); at += unit) {
                expected.put(source + at, target + at);
            }
        });
        TreeMap<Long, Long> actual = new TreeMap<>();
        MemorySegment target = MemorySegment.ofArray(new byte[layout.targetBytes()]);
        runs.begin(box, target);
        int units = layout.sourceBytes() / unit;
        int blockUnits = 1 + random.nextInt(2 * units);
        long begin = box.sourceFrom() / unit / blockUnits * blockUnits; // as a decoder does
        for (long block = begin; block < units; block += blockUnits) {
            long end = Math.min(units, block + blockUnits);
            ElementRows rows = runs.next(block * unit, end * unit, unit);
            while (rows != null) {
                assertEquals(target, rows.target());
                add(rows, block, unit, actual);
                rows = runs.next(block * unit, end * unit, unit);
            }
        }
        assertEquals(expected, actual);
    }

    private static void add(
            ElementRows rows, long block, int unit, SortedMap<Long, Long> targetOfSource) {
        for (long row = 0; row < rows.rows(); row++) {
            for (long i = 0; i < rows.elements(); i++) {
                long source = (block + rows.from() + row * rows.stride() + i) * unit;
                long target = rows.to() + row * rows.targetStride() + i * unit;
                assertTrue(targetOfSource.isEmpty() || source > targetOfSource.lastKey());
                targetOfSource.put(source, target);
            }
        }
    }

    /** Rows that overlap or go back in the source cannot be copied block by block. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void rowsInOrderGoForward(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox();
        int inOrder = 0;
        int others = 0;
        for (int round = 0; round < 5000; round++) {
            Layout layout = Layout.random(random, 4);
            box.set(layout.region(), layout.chunkLengths(), layout.elementBytes());
            if (box.hasRows()) {
                long[] last = {-1};
                boolean[] forward = {true};
                box.forEach((source, target) -> {
                    forward[0] &= source > last[0];
                    last[0] = source;
                });
                assertEquals(forward[0], box.hasRowsInSourceOrder());
                inOrder += forward[0] ? 1 : 0;
                others += forward[0] ? 0 : 1;
            }
        }
        assertTrue(inOrder > 500 && others > 10, inOrder + " in order, others " + others);
    }
}
