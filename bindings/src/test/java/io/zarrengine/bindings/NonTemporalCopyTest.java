package io.zarrengine.bindings;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NonTemporalCopy.Rows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our machine code against loops over arrays; what lies between rows is guarded too. */
final class NonTemporalCopyTest {
    private static final int SOURCE_BYTES = 100_000;
    private static final int TARGET_BYTES = 200_000;

    @BeforeEach
    void needsX86() {
        assumeTrue(NonTemporalCopy.isAvailable(), () -> NonTemporalCopy.denial().orElseThrow());
    }

    /** Every length of a first and a last part of a line, and of lines between them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 63})
    void copiesRowsOfEveryLengthToEveryPlace(int sourceShift) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES, 64);
            MemorySegment target = arena.allocate(1000, 64);
            byte[] bytes = noise(3);
            source.copyFrom(MemorySegment.ofArray(bytes));
            for (int at = 0; at < 64; at++) {
                for (int length = 0; length <= 300; length++) {
                    byte[] expected = target.fill((byte) 0x5A).toArray(JAVA_BYTE);
                    System.arraycopy(bytes, sourceShift, expected, 200 + at, length);
                    Rows row = new Rows(length, 1, 0, 0, 1, 0, 0);
                    NonTemporalCopy.copy(source, sourceShift, target, 200 + at, row);
                    assertArrayEquals(expected, target.toArray(JAVA_BYTE), length + " to " + at);
                }
            }
        }
    }

    private static byte[] noise(long seed) {
        byte[] bytes = new byte[SOURCE_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Where one dimension of rows or planes lies. */
    private record Line(int count, int sourceStride, int targetStride) {
        long sourceLow() {
            return Math.min(0, (count - 1L) * sourceStride);
        }

        long targetLow() {
            return Math.min(0, (count - 1L) * targetStride);
        }
    }

    /** Rows that do not overlap, forwards or backwards, with room between them or none. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void copiesAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = noise(seed);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES, 64);
            source.copyFrom(MemorySegment.ofArray(bytes));
            MemorySegment target = arena.allocate(TARGET_BYTES, 64);
            for (int round = 0; round < 300; round++) {
                int length = random.nextInt(400);
                Line rows = line(random, random.nextInt(9), length);
                int extent = length + rows.count() * Math.abs(rows.targetStride());
                Line planes = line(random, random.nextInt(5), extent);
                long from = random.nextInt(64) - rows.sourceLow() - planes.sourceLow();
                long to = random.nextInt(64) - rows.targetLow() - planes.targetLow();
                byte[] expected = target.fill((byte) 0x5A).toArray(JAVA_BYTE);
                for (int p = 0; p < planes.count(); p++) {
                    for (int r = 0; r < rows.count(); r++) {
                        System.arraycopy(
                                bytes,
                                (int) from + r * rows.sourceStride() + p * planes.sourceStride(),
                                expected,
                                (int) to + r * rows.targetStride() + p * planes.targetStride(),
                                length);
                    }
                }
                NonTemporalCopy.copy(source, from, target, to, rows(length, rows, planes));
                assertArrayEquals(expected, target.toArray(JAVA_BYTE), "round " + round);
            }
        }
    }

    private static Line line(SplittableRandom random, int count, int extent) {
        int stride = extent + (random.nextBoolean() ? 0 : random.nextInt(100));
        return new Line(
                count,
                random.nextInt(1500) * (random.nextBoolean() ? 1 : -1),
                random.nextInt(4) == 0 ? -stride : stride);
    }

    private static Rows rows(int length, Line rows, Line planes) {
        return new Rows(
                length,
                rows.count(),
                rows.sourceStride(),
                rows.targetStride(),
                planes.count(),
                planes.sourceStride(),
                planes.targetStride());
    }

    @Test
    void refusesRowsOutsideOfTheirSegments() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(1000, 64);
            MemorySegment target = arena.allocate(1000, 64);
            Rows fit = new Rows(100, 3, 300, 400, 2, 200, 100);
            NonTemporalCopy.copy(bytes, 100, target, 0, fit);
            assertOutside(bytes, 101, target, 0, fit);
            assertOutside(bytes, -1, target, 0, fit);
            assertOutside(bytes, 0, target, 1, fit);
            assertOutside(bytes, 0, target, -1, fit);
            Rows back = new Rows(100, 3, -300, -400, 2, 200, 100);
            NonTemporalCopy.copy(bytes, 600, target, 800, back);
            assertOutside(bytes, 599, target, 800, back);
            assertOutside(bytes, 600, target, 799, back);
            assertOutside(bytes, 600, target, 801, back);
            Rows none = new Rows(100, 0, 1 << 20, 1 << 20, 5, 0, 0);
            NonTemporalCopy.copy(bytes, 5000, target, 5000, none);
        }
    }

    private static void assertOutside(
            MemorySegment source, long from, MemorySegment target, long to, Rows rows) {
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> NonTemporalCopy.copy(source, from, target, to, rows));
    }

    @Test
    void refusesNumbersThatOverflowOrAreNegative() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(1000, 64);
            MemorySegment target = arena.allocate(1000, 64);
            Rows huge = new Rows(8, Long.MAX_VALUE, 4, 4, 1, 0, 0);
            assertThrows(
                    ArithmeticException.class,
                    () -> NonTemporalCopy.copy(bytes, 0, target, 0, huge));
            Rows negative = new Rows(8, -1, 8, 8, 1, 0, 0);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> NonTemporalCopy.copy(bytes, 0, target, 0, negative));
        }
    }

    @Test
    void refusesMemoryThatHasEndedOrIsOnTheHeap() {
        Rows row = new Rows(100, 1, 0, 0, 1, 0, 0);
        MemorySegment ended;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(100);
            MemorySegment heap = MemorySegment.ofArray(new byte[100]);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> NonTemporalCopy.copy(source, 0, heap, 0, row));
            MemorySegment readOnly = arena.allocate(100).asReadOnly();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> NonTemporalCopy.copy(source, 0, readOnly, 0, row));
            ended = source;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment there = arena.allocate(100);
            assertThrows(
                    IllegalStateException.class,
                    () -> NonTemporalCopy.copy(ended, 0, there, 0, row));
            assertThrows(
                    IllegalStateException.class,
                    () -> NonTemporalCopy.copy(there, 0, ended, 0, row));
        }
    }
}
