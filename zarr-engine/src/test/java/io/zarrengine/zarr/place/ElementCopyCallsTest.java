package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.machinecode.MachineCodeRowCopy;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements in another order than they are stored, or in steps, equal a twin in Java. */
final class ElementCopyCallsTest {
    private static final int LAYOUTS = 150;

    @BeforeEach
    void needsX86() {
        assumeTrue(
                MachineCodeRowCopy.isAvailable(), () -> MachineCodeRowCopy.denial().orElseThrow());
    }

    @ParameterizedTest(name = "{0} bytes, {1} dimensions, seed {2}")
    @CsvSource({
        "1, 2, 1", "2, 2, 1", "4, 2, 1", "8, 2, 1", "16, 2, 1", "1, 2, 2", "2, 2, 2", "4, 2, 2",
        "1, 3, 1", "2, 3, 1", "4, 3, 1", "8, 3, 1", "16, 3, 1", "1, 5, 1", "2, 5, 1", "12, 3, 1",
    })
    void copiesAsASlowTwinDoes(int elementBytes, int rank, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StridedBox box = new StridedBox();
        int owned = 0;
        for (int round = 0; round < LAYOUTS; round++) {
            long lengthMax = rank == 2 ? 200 : rank == 3 ? 30 : 6;
            Layout layout = Layout.random(random, elementBytes, rank, lengthMax);
            box.set(layout.region(), layout.chunkLengths(), elementBytes);
            byte[] elements = new byte[layout.sourceBytes()];
            random.nextBytes(elements);
            byte[] expected = new byte[layout.targetBytes()];
            Scatter.copy(box, MemorySegment.ofArray(elements), MemorySegment.ofArray(expected), 1);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment source = arena.allocateFrom(JAVA_BYTE, elements);
                GuardedMemory target = new GuardedMemory(arena, expected.length);
                target.segment().fill((byte) 0);
                byte[] heap = new byte[expected.length];
                owned +=
                        !box.hasRows() && Scatter.isMachineCodeFaster(box, target.segment(), 1)
                                ? 1
                                : 0;
                Scatter.copyFastest(box, source, target.segment(), 1);
                Scatter.copyFastest(box, source, MemorySegment.ofArray(heap), 1);
                assertArrayEquals(expected, target.segment().toArray(JAVA_BYTE), layout::toString);
                assertArrayEquals(expected, heap, layout::toString);
                target.assertIntact();
            }
        }
        int expected = Integer.bitCount(elementBytes) == 1 ? LAYOUTS / 25 : 0;
        assertTrue(owned >= expected, "few were copied by machine code: " + owned);
    }

    /** Returns columns of a chunk that become rows of the target. */
    private static StridedBox transposed(int rows, int columns, int elementBytes) {
        StridedBox box = new StridedBox();
        long[] shape = {rows, columns};
        long[] stride = {elementBytes, (long) rows * elementBytes};
        box.set(new Region(new long[2], new long[] {1, 1}, shape, stride, 0), shape, elementBytes);
        return box;
    }

    @Test
    void acceptsManyElementsOfRegisterSize() {
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            MemorySegment target = confined.allocate(1);
            assertTrue(ElementCopyCalls.takes(transposed(4, 8, 2), target));
            assertFalse(ElementCopyCalls.takes(transposed(4, 7, 2), target), "few");
            assertFalse(ElementCopyCalls.takes(transposed(40, 40, 3), target), "odd");
            assertFalse(ElementCopyCalls.takes(transposed(40, 40, 32), target), "large");
            MemorySegment counted = shared.allocate(1);
            assertFalse(ElementCopyCalls.takes(transposed(63, 64, 2), counted), "one number");
            assertTrue(ElementCopyCalls.takes(transposed(64, 64, 2), counted));
        }
    }

    /**
     * A garbage collection waits for a call with heap memory, so each call copies some elements.
     */
    @ParameterizedTest
    @CsvSource({"300, 200, 2", "70, 1000, 1", "1000, 70, 1", "4097, 3, 4", "3, 4097, 8"})
    void copiesMuchToTheHeapInSeveralCalls(int rows, int columns, int elementBytes) {
        StridedBox box = transposed(rows, columns, elementBytes);
        try (Arena arena = Arena.ofConfined()) {
            byte[] elements = new byte[rows * columns * elementBytes];
            new SplittableRandom(1).nextBytes(elements);
            MemorySegment source = arena.allocateFrom(JAVA_BYTE, elements);
            MemorySegment heap = MemorySegment.ofArray(new byte[elements.length]);
            MemorySegment expected = MemorySegment.ofArray(new byte[elements.length]);
            assertTrue(
                    RowCopyCalls.rowsOfCallMax(heap, elementBytes) < (long) rows * columns,
                    "one call");
            Scatter.copyFastest(box, source, heap, 1);
            Scatter.copy(box, source, expected, 1);
            assertEquals(-1, expected.mismatch(heap));
        }
    }
}
