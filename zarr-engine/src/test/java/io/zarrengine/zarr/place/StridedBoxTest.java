package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.plan.Region;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A simplified box has the same elements. Fails if it loses, repeats or reorders one. */
final class StridedBoxTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void keepsEachElementAndItsPlace(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox(); // reused, as by a worker
        int runs = 0;
        for (int round = 0; round < 2000; round++) {
            Layout layout = Layout.random(random, 1 + random.nextInt(16));
            box.set(layout.region(), layout.chunkLengths(), layout.elementBytes());
            TreeMap<Long, Long> expected = new TreeMap<>();
            layout.forEach((source, target) -> expected.put((long) target, (long) source));
            TreeMap<Long, Long> actual = new TreeMap<>();
            collect(box, 0, box.sourceOffset(), box.targetOffset(), actual);
            assertEquals(expected, actual);
            assertEquals((long) expected.size() * layout.elementBytes(), box.bytes());
            checkRuns(box, expected, layout.elementBytes());
            checkOrder(box);
            runs += box.isContiguous() ? 1 : 0;
        }
        assertTrue(runs > 100 && runs < 1500, runs + " of 2000 are one run");
    }

    /** A chunk that can be decoded in part is decoded exactly as far as necessary. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void reachesFromTheFirstElementToTheLast(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox();
        for (int round = 0; round < 500; round++) {
            Layout layout = Layout.random(random, 1 + random.nextInt(16));
            box.set(layout.region(), layout.chunkLengths(), layout.elementBytes());
            TreeMap<Long, Long> sources = new TreeMap<>();
            layout.forEach((source, target) -> sources.put((long) source, (long) target));
            assertEquals(sources.firstKey(), box.sourceFrom());
            assertEquals(sources.lastKey() + layout.elementBytes(), box.sourceTo());
        }
    }

    private static void collect(
            StridedBox box, int d, long source, long target, Map<Long, Long> elements) {
        if (d == box.rank()) {
            assertEquals(null, elements.put(target, source), "an element is there twice");
            return;
        }
        assertTrue(box.count(d) > 1, "a dimension of length 1 is left");
        for (long i = 0; i < box.count(d); i++) {
            long nextSource = source + i * box.sourceStride(d);
            long nextTarget = target + i * box.targetStride(d);
            collect(box, d + 1, nextSource, nextTarget, elements);
        }
    }

    /** Asserts that the target is written from front to back as far as possible. */
    private static void checkOrder(StridedBox box) {
        for (int d = 1; d < box.rank(); d++) {
            assertTrue(Math.abs(box.targetStride(d - 1)) >= Math.abs(box.targetStride(d)));
        }
    }

    private static void checkRuns(
            StridedBox box, SortedMap<Long, Long> sourceOfTarget, int elementBytes) {
        boolean targetRuns = true;
        boolean bothRun = true;
        long target = sourceOfTarget.firstKey();
        long source = sourceOfTarget.get(target);
        for (var element : sourceOfTarget.entrySet()) {
            targetRuns &= element.getKey() == target;
            bothRun &= element.getKey() == target && element.getValue() == source;
            target += elementBytes;
            source += elementBytes;
        }
        assertEquals(bothRun, box.isContiguous());
        if (box.isContiguousInTarget()) {
            assertTrue(targetRuns);
        }
    }

    @Test
    void joinsContiguousDimensions() {
        StridedBox box = new StridedBox();
        box.set(region("4 5 6", "120 24 4", 0), new long[] {4, 5, 6}, 4);
        assertEquals(1, box.rank());
        assertEquals(120, box.count(0));
        assertTrue(box.isContiguous());

        box.set(region("2 5 6", "1000 24 4", 0), new long[] {4, 5, 6}, 4);
        assertEquals(2, box.rank(), "planes lie apart in the target");
        assertFalse(box.isContiguousInTarget());

        box.set(region("4 5 3", "60 12 4", 0), new long[] {4, 5, 6}, 4);
        assertEquals(2, box.rank(), "rows lie apart in the source");
        assertEquals(20, box.count(0));
        assertFalse(box.isContiguous());

        box.set(region("4 1 6", "24 24 4", 8), new long[] {4, 1, 6}, 4);
        assertEquals(1, box.rank(), "a dimension of length 1 is none");
        assertEquals(8, box.targetOffset());
    }

    @Test
    void oneElementHasNoDimensions() {
        StridedBox box = new StridedBox();
        box.set(region("1 1", "-99 7", 3), new long[] {4, 5}, 8);
        assertEquals(0, box.rank());
        assertEquals(8, box.bytes());
        assertTrue(box.isContiguous());
        box.set(region("", "", 3), new long[] {}, 8);
        assertEquals(0, box.rank());
        assertEquals(0, box.sourceOffset());
    }

    @Test
    void doesNotJoinAReversedDimension() {
        StridedBox box = new StridedBox();
        box.set(region("5", "-4", 16), new long[] {5}, 4);
        assertFalse(box.isContiguousInTarget());
        assertFalse(box.isContiguous());
    }

    @Test
    void hasRoomForAsManyDimensionsAsAnArray() {
        StridedBox box = new StridedBox();
        String counts = String.join(" ", Collections.nCopies(30, "2"));
        String strides = String.join(" ", Collections.nCopies(30, "8"));
        long[] shape = new long[30];
        Arrays.fill(shape, 3);
        box.set(region(counts, strides, 0), shape, 4);
        assertEquals(30, box.rank());
        assertEquals(4L << 30, box.bytes());
    }

    private static Region region(String counts, String targetStrides, long targetOffset) {
        long[] count = longs(counts);
        long[] start = new long[count.length];
        long[] step = new long[count.length];
        Arrays.fill(step, 1);
        return new Region(start, step, count, longs(targetStrides), targetOffset);
    }

    private static long[] longs(String text) {
        return Stream.of(text.split(" "))
                .filter(number -> !number.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
