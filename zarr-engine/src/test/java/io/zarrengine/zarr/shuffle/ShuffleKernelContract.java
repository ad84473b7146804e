package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contract of every {@link ShuffleKernel}, compared with loops over each byte and bit. Sources lie
 * at odd addresses, targets between guards.
 */
abstract class ShuffleKernelContract {
    private static final int ROUNDS = 60;
    private static final int[] SIZES = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 255};

    /** {@return the kernel, which the machine must have} */
    abstract ShuffleKernel kernel();

    /** {@return the least number of elements in a row that it {@link ShuffleKernel#takes}} */
    int rowElementsMin() {
        return 1;
    }

    /** Fails if elements are lost at the end of a row, or written after it or between rows. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void putsRowsAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ShuffleKernel kernel = kernel();
        int handled = 0;
        for (int elementBytes : SIZES) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment target = arena.allocate(1 << 20);
                if (kernel.handles(elementBytes, target.byteSize(), target)) {
                    handled++;
                    for (int round = 0; round < ROUNDS; round++) {
                        putRows(kernel, random, elementBytes);
                    }
                }
            }
        }
        assertTrue(handled >= 3, handled + " sizes of elements");
    }

    private void putRows(ShuffleKernel kernel, SplittableRandom random, int elementBytes) {
        int count = 1 + random.nextInt(elementBytes > Long.BYTES ? 3 : 20);
        int more = random.nextInt(random.nextInt(20) == 0 ? 1 + 9_000 / elementBytes : 200);
        int elements = rowElementsMin() + more;
        int from = random.nextInt(50);
        int stride = elements + random.nextInt(30);
        int distance = elements * elementBytes + random.nextInt(70);
        boolean isReversed = random.nextBoolean();
        int to = random.nextInt(30) + (isReversed ? (count - 1) * distance : 0);
        byte[] expected = new byte[to + count * distance];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] planes = new MemorySegment[elementBytes];
            for (int b = 0; b < elementBytes; b++) {
                planes[b] = odd(arena, randomBytes(random, from + count * stride));
            }
            GuardedMemory target = new GuardedMemory(arena, expected.length);
            target.segment().fill((byte) 0);
            ElementRows rows =
                    new ElementRows(
                            count,
                            elements,
                            from,
                            stride,
                            target.segment(),
                            to,
                            isReversed ? -distance : distance);
            assertTrue(kernel.takes(planes, rows), rows::toString);
            kernel.unshuffle(planes, rows);
            putSlowly(planes, rows, expected);
            assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE), rows::toString);
            target.assertIntact();
        }
    }

    private static void putSlowly(MemorySegment[] planes, ElementRows rows, byte[] target) {
        for (int row = 0; row < rows.rows(); row++) {
            for (int i = 0; i < rows.elements(); i++) {
                for (int b = 0; b < planes.length; b++) {
                    long at = rows.to() + row * rows.targetStride() + (long) i * planes.length + b;
                    long source = rows.from() + row * rows.stride() + i;
                    target[Math.toIntExact(at)] = planes[b].get(JAVA_BYTE, source);
                }
            }
        }
    }

    /** Fails if a bit goes to another element or another place, for any count of elements. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void makesPlanesOfBits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int elementBytes : SIZES) {
            for (int rowBytes : new int[] {0, 1, 2, 7, 8, 9, 16, 63, 64, 65, 130}) {
                byte[] elements = randomBytes(random, Byte.SIZE * rowBytes * elementBytes);
                byte[] bits = SlowShuffle.shuffleBits(elements, elementBytes);
                try (Arena arena = Arena.ofConfined()) {
                    GuardedMemory planes = new GuardedMemory(arena, bits.length);
                    MemorySegment source = odd(arena, bits);
                    ShuffleKernel kernel = kernel();
                    assertTrue(kernel.handlesBits(source, planes.segment()));
                    kernel.bitsToPlanes(source, planes.segment(), elementBytes, rowBytes);
                    assertArrayEquals(
                            SlowShuffle.shuffleBytes(elements, elementBytes),
                            planes.segment().toArray(JAVA_BYTE),
                            elementBytes + " bytes, rows of " + rowBytes);
                    planes.assertIntact();
                }
            }
        }
    }

    private static byte[] randomBytes(SplittableRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static MemorySegment odd(Arena arena, byte... bytes) {
        MemorySegment memory = arena.allocate(bytes.length + 1L).asSlice(1);
        return memory.copyFrom(MemorySegment.ofArray(bytes));
    }
}
