package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies equal a twin that copies byte by byte. */
final class ScatterTest {
    private static final byte UNTOUCHED = 0x5A;

    @ParameterizedTest(name = "{0} bytes, swapped by {1}, seed {2}")
    @CsvSource({
        "1, 1, 0", "2, 1, 0", "4, 1, 0", "8, 1, 0", "16, 1, 0", "3, 1, 0", "12, 1, 0", "37, 1, 0",
        "2, 2, 0", "4, 4, 0", "8, 8, 0", "8, 4, 0", "16, 8, 0", "4, 2, 0", "12, 4, 0", "6, 2, 0",
        "8, 8, 42", "16, 8, 42", "3, 1, 42",
    })
    void copiesAsASlowTwinDoes(int elementBytes, int swapBytes, long seed) {
        checkRandomLayouts(elementBytes, swapBytes, new SplittableRandom(seed));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void copiesComplexNumbersAsASlowTwinDoes(long seed) {
        checkRandomLayouts(16, 8, new SplittableRandom(seed));
        checkRandomLayouts(8, 4, new SplittableRandom(seed));
        checkRandomLayouts(4, 1, new SplittableRandom(seed));
    }

    private static void checkRandomLayouts(
            int elementBytes, int swapBytes, SplittableRandom random) {
        StridedBox box = new StridedBox();
        for (int round = 0; round < 300; round++) {
            Layout layout = Layout.random(random, elementBytes);
            byte[] source = new byte[layout.sourceBytes()];
            random.nextBytes(source);
            byte[] expected = slowTwin(layout, source, swapBytes);
            box.set(layout.region(), layout.chunkLengths(), elementBytes);
            byte[] heap = untouched(layout.targetBytes());
            Scatter.copy(
                    box, MemorySegment.ofArray(source), MemorySegment.ofArray(heap), swapBytes);
            assertArrayEquals(expected, heap);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment from = arena.allocateFrom(JAVA_BYTE, source);
                GuardedMemory target = new GuardedMemory(arena, layout.targetBytes());
                target.segment().fill(UNTOUCHED);
                Scatter.copy(box, from, target.segment(), swapBytes);
                assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE));
                target.assertIntact();
            }
        }
    }

    private static byte[] slowTwin(Layout layout, byte[] source, int swapBytes) {
        byte[] target = untouched(layout.targetBytes());
        layout.forEach((from, to) -> {
            for (int i = 0; i < layout.elementBytes(); i++) {
                int unit = i / swapBytes * swapBytes;
                int mirrored = unit + swapBytes - 1 - (i - unit);
                target[to + i] = source[from + mirrored];
            }
        });
        return target;
    }

    private static byte[] untouched(int bytes) {
        byte[] target = new byte[bytes];
        Arrays.fill(target, UNTOUCHED);
        return target;
    }

    /** A target may also be an array of numbers. */
    @Test
    void copiesToAnArrayOfDoubles() {
        StridedBox box = new StridedBox();
        box.set(
                new Region(new long[] {0}, new long[] {2}, new long[] {3}, new long[] {8}, 8),
                new long[] {6},
                8);
        double[] target = new double[5];
        MemorySegment source = MemorySegment.ofArray(new double[] {1.5, 0, 2.5, 0, 3.5, 0});
        Scatter.copy(box, source, MemorySegment.ofArray(target), 1);
        assertArrayEquals(new double[] {0, 1.5, 2.5, 3.5, 0}, target);
    }

    @Test
    void refusesATargetThatIsTooSmall() {
        StridedBox box = new StridedBox();
        box.set(
                new Region(new long[] {0}, new long[] {1}, new long[] {4}, new long[] {4}, 0),
                new long[] {4},
                4);
        MemorySegment small = MemorySegment.ofArray(new byte[15]);
        MemorySegment enough = MemorySegment.ofArray(new byte[16]);
        assertThrows(IndexOutOfBoundsException.class, () -> Scatter.copy(box, enough, small, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> Scatter.copy(box, small, enough, 4));
    }
}
