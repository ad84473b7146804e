package io.zarrengine.zarr.shuffle;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.place.ElementRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows of elements whose bytes lie apart: each way of putting them together, and the obvious one.
 */
final class BytePlanesTest {
    /** Enough for the kernels with vectors to be compiled on the way. */
    private static final int ROUNDS = 600;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8, 17})
    void putsRowsAndNothingElse(int elementBytes) {
        SplittableRandom random = new SplittableRandom(elementBytes);
        for (int round = 0; round < ROUNDS; round++) {
            try (Arena arena = Arena.ofConfined()) {
                check(random, arena, elementBytes);
            }
        }
    }

    private static void check(SplittableRandom random, Arena arena, int elementBytes) {
        int rows = 1 + random.nextInt(20);
        int elements = 1 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 200);
        int from = random.nextInt(50);
        int stride = elements + random.nextInt(30);
        int distance = elements * elementBytes + random.nextInt(70);
        boolean reversed = random.nextBoolean();
        int to = random.nextInt(30) + (reversed ? (rows - 1) * distance : 0);
        MemorySegment[] planes = planes(random, arena, elementBytes, from + rows * stride);
        byte[] expected = new byte[to + rows * distance];
        ElementRows wanted =
                new ElementRows(
                        rows,
                        elements,
                        from,
                        stride,
                        MemorySegment.ofArray(expected),
                        to,
                        reversed ? -distance : distance);
        putSlowly(planes, wanted);
        BytePlanes block = new BytePlanes(planes);
        assertPuts(expected, arena, wanted, block::put);
        assertPuts(expected, arena, wanted, block::putInJava);
        assertPuts(expected, arena, wanted, block::putEach);
        if (BytePlanes.putsWithVectors((long) elements * elementBytes, elementBytes)) {
            assertPuts(expected, arena, wanted, block::putWithVectors);
        }
    }

    /** Each in memory of its own, at any address. */
    private static MemorySegment[] planes(
            SplittableRandom random, Arena arena, int elementBytes, int elements) {
        MemorySegment[] planes = new MemorySegment[elementBytes];
        for (int b = 0; b < elementBytes; b++) {
            byte[] plane = new byte[elements];
            random.nextBytes(plane);
            MemorySegment odd = arena.allocate(elements + 1L).asSlice(1);
            planes[b] = odd.copyFrom(MemorySegment.ofArray(plane));
        }
        return planes;
    }

    private static void putSlowly(MemorySegment[] planes, ElementRows rows) {
        for (int row = 0; row < rows.rows(); row++) {
            for (int i = 0; i < rows.elements(); i++) {
                for (int b = 0; b < planes.length; b++) {
                    byte value = planes[b].get(JAVA_BYTE, rows.from() + row * rows.stride() + i);
                    long at = rows.to() + row * rows.targetStride() + (long) i * planes.length + b;
                    rows.target().set(JAVA_BYTE, at, value);
                }
            }
        }
    }

    private static void assertPuts(
            byte[] expected, Arena arena, ElementRows rows, Consumer<ElementRows> put) {
        GuardedMemory target = new GuardedMemory(arena, expected.length);
        target.segment().fill((byte) 0);
        put.accept(
                new ElementRows(
                        rows.rows(),
                        rows.elements(),
                        rows.from(),
                        rows.stride(),
                        target.segment(),
                        rows.to(),
                        rows.targetStride()));
        assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE), rows::toString);
        target.assertIntact();
    }
}
