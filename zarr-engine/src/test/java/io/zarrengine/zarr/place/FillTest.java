package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.GuardedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fills equal a twin that writes element by element. */
final class FillTest {
    private static final byte UNTOUCHED = 0x5A;
    private static final int[] ELEMENT_BYTES = {1, 2, 3, 4, 8, 12, 16, 37};

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void fillsAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox();
        for (int round = 0; round < 1500; round++) {
            int elementBytes = ELEMENT_BYTES[random.nextInt(ELEMENT_BYTES.length)];
            Layout layout = Layout.random(random, elementBytes);
            byte[] element = new byte[elementBytes];
            random.nextBytes(element);
            byte[] expected = untouched(layout.targetBytes());
            layout.forEach((from, to) -> System.arraycopy(element, 0, expected, to, elementBytes));

            box.set(layout.region(), layout.chunkLengths(), elementBytes);
            byte[] heap = untouched(layout.targetBytes());
            MemorySegment one = MemorySegment.ofArray(element);
            Fill.fill(box, MemorySegment.ofArray(heap), one);
            assertArrayEquals(expected, heap);
            try (Arena arena = Arena.ofConfined()) {
                GuardedMemory target = new GuardedMemory(arena, layout.targetBytes());
                target.segment().fill(UNTOUCHED);
                Fill.fill(box, target.segment(), one);
                assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE));
                target.assertIntact();
            }
        }
    }

    private static byte[] untouched(int bytes) {
        byte[] target = new byte[bytes];
        Arrays.fill(target, UNTOUCHED);
        return target;
    }
}
