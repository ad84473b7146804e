package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the machine code with loops over arrays; the bytes between rows are checked too. */
final class MachineCodeRowCopyTest {
    private static final int SOURCE_BYTES = 100_000;
    private static final int TARGET_BYTES = 200_000;

    /** One of the three functions. */
    enum Way {
        NON_TEMPORAL,
        SHORT,
        ELEMENTS;

        void copy(MemorySegment source, long from, MemorySegment target, long to, RowPlanes rows) {
            switch (this) {
                case NON_TEMPORAL ->
                        MachineCodeRowCopy.copyNonTemporal(source, from, target, to, rows);
                case SHORT -> MachineCodeRowCopy.copyShort(source, from, target, to, rows);
                case ELEMENTS -> MachineCodeRowCopy.copyElements(source, from, target, to, rows);
            }
        }

        int lengthMax(int bytes) {
            return this == ELEMENTS ? Math.min(bytes, 16) : bytes;
        }
    }

    @BeforeEach
    void needsX86() {
        assumeTrue(
                MachineCodeRowCopy.isAvailable(), () -> MachineCodeRowCopy.denial().orElseThrow());
    }

    /** Tests every length of a first and a last part of a cache line, and of lines between them. */
    @ParameterizedTest
    @CsvSource({
        "NON_TEMPORAL, 0", "NON_TEMPORAL, 1", "NON_TEMPORAL, 31", "NON_TEMPORAL, 63",
        "SHORT, 0", "SHORT, 1", "SHORT, 31", "SHORT, 63",
    })
    void copiesRowsOfEveryLengthToEveryPlace(Way way, int sourceShift) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES, 64);
            MemorySegment target = arena.allocate(1000, 64);
            byte[] bytes = noise(3);
            source.copyFrom(MemorySegment.ofArray(bytes));
            for (int at = 0; at < 64; at++) {
                for (int length = 0; length <= 300; length++) {
                    byte[] expected = target.fill((byte) 0x5A).toArray(JAVA_BYTE);
                    System.arraycopy(bytes, sourceShift, expected, 200 + at, length);
                    RowPlanes row = new RowPlanes(length, 1, 0, 0, 1, 0, 0);
                    way.copy(source, sourceShift, target, 200 + at, row);
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

    /** The rows or planes along one dimension. */
    private record Line(int count, int sourceStride, int targetStride) {}

    /** Rows do not overlap, go forwards or backwards, with or without gaps. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({
        "NON_TEMPORAL, 1", "NON_TEMPORAL, 2", "NON_TEMPORAL, 3", "NON_TEMPORAL, 4",
        "SHORT, 1", "SHORT, 2", "SHORT, 3", "SHORT, 4",
    })
    void copiesAsASlowTwinDoes(Way way, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        copiesAsASlowTwinDoes(
                way,
                random,
                () -> {
                    int length = random.nextInt(random.nextBoolean() ? 40 : 400);
                    Line rows = line(random, random.nextInt(9), length);
                    int extent = length + rows.count() * Math.abs(rows.targetStride());
                    return rows(length, rows, line(random, random.nextInt(5), extent));
                });
    }

    /** Includes transposed matrices: whole blocks, and parts of blocks at every edge. */
    @ParameterizedTest(name = "{0} bytes, transposed: {1}, seed {2}")
    @CsvSource({
        "1, true, 1", "2, true, 1", "4, true, 1", "8, true, 1", "16, true, 1",
        "1, true, 2", "2, true, 2", "4, true, 2", "8, true, 2", "16, true, 2",
        "1, false, 1", "2, false, 1", "4, false, 1", "8, false, 1", "16, false, 1",
    })
    void copiesElementsAsASlowTwinDoes(int bytes, boolean isTransposed, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        copiesAsASlowTwinDoes(
                Way.ELEMENTS, random, () -> randomElements(random, bytes, isTransposed));
    }

    /** Returns up to four tiles of 64 rows in one direction. */
    private static RowPlanes randomElements(
            SplittableRandom random, int bytes, boolean isTransposed) {
        int rows = 1 + random.nextInt(220);
        int planes = random.nextInt(Math.min(220, 150_000 / (bytes + 10) / rows));
        if (random.nextBoolean() && planes > 0) {
            int swap = rows;
            rows = planes;
            planes = swap;
        }
        long targetRow = isTransposed ? bytes : sign(random) * (bytes + random.nextInt(10));
        long plane = bytes + rows * Math.abs(targetRow) + random.nextInt(100);
        return new RowPlanes(
                bytes,
                rows,
                sign(random) * random.nextInt(40_000 / rows),
                targetRow,
                planes,
                isTransposed ? bytes : sign(random) * random.nextInt(40_000 / Math.max(1, planes)),
                sign(random) * plane);
    }

    private static long sign(SplittableRandom random) {
        return random.nextBoolean() ? 1L : -1L;
    }

    private static void copiesAsASlowTwinDoes(
            Way way, SplittableRandom random, Supplier<RowPlanes> next) {
        byte[] bytes = noise(random.nextLong());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(SOURCE_BYTES, 64);
            source.copyFrom(MemorySegment.ofArray(bytes));
            MemorySegment nativeTarget = arena.allocate(TARGET_BYTES, 64);
            MemorySegment heapTarget = MemorySegment.ofArray(new int[TARGET_BYTES / 4]);
            for (int round = 0; round < 300; round++) {
                RowPlanes rows = next.get();
                long from =
                        random.nextInt(64)
                                - low(rows, rows.sourceStride(), rows.sourcePlaneStride());
                long to =
                        random.nextInt(64)
                                - low(rows, rows.targetStride(), rows.targetPlaneStride());
                boolean isOnHeap = round % 3 == 0 && MachineCodeRowCopy.mayWrite(heapTarget);
                MemorySegment target = isOnHeap ? heapTarget : nativeTarget;
                byte[] expected = target.fill((byte) 0x5A).toArray(JAVA_BYTE);
                for (long p = 0; p < rows.planes(); p++) {
                    for (long r = 0; r < rows.rows(); r++) {
                        System.arraycopy(
                                bytes,
                                (int)
                                        (from
                                                + r * rows.sourceStride()
                                                + p * rows.sourcePlaneStride()),
                                expected,
                                (int) (to + r * rows.targetStride() + p * rows.targetPlaneStride()),
                                (int) rows.bytes());
                    }
                }
                way.copy(source, from, target, to, rows);
                assertArrayEquals(expected, target.toArray(JAVA_BYTE), round + ": " + rows);
            }
        }
    }

    private static long low(RowPlanes rows, long rowStride, long planeStride) {
        return Math.min(0, (rows.rows() - 1) * rowStride)
                + Math.min(0, (rows.planes() - 1) * planeStride);
    }

    private static Line line(SplittableRandom random, int count, int extent) {
        int stride = extent + (random.nextBoolean() ? 0 : random.nextInt(100));
        return new Line(
                count,
                random.nextInt(1500) * (random.nextBoolean() ? 1 : -1),
                random.nextInt(4) == 0 ? -stride : stride);
    }

    private static RowPlanes rows(int length, Line rows, Line planes) {
        return new RowPlanes(
                length,
                rows.count(),
                rows.sourceStride(),
                rows.targetStride(),
                planes.count(),
                planes.sourceStride(),
                planes.targetStride());
    }

    @ParameterizedTest
    @EnumSource
    void refusesRowsOutsideOfTheirSegments(Way way) {
        try (Arena arena = Arena.ofConfined()) {
            int length = way.lengthMax(100);
            MemorySegment bytes = arena.allocate(900 + length, 64);
            MemorySegment target = arena.allocate(900 + length, 64);
            RowPlanes fit = new RowPlanes(length, 3, 300, 400, 2, 200, 100);
            way.copy(bytes, 100, target, 0, fit);
            assertOutside(way, bytes, 101, target, 0, fit);
            assertOutside(way, bytes, -1, target, 0, fit);
            assertOutside(way, bytes, 0, target, 1, fit);
            assertOutside(way, bytes, 0, target, -1, fit);
            RowPlanes back = new RowPlanes(length, 3, -300, -400, 2, 200, 100);
            way.copy(bytes, 600, target, 800, back);
            assertOutside(way, bytes, 599, target, 800, back);
            assertOutside(way, bytes, 600, target, 799, back);
            assertOutside(way, bytes, 600, target, 801, back);
            RowPlanes none = new RowPlanes(length, 0, 1 << 20, 1 << 20, 5, 0, 0);
            way.copy(bytes, 5000, target, 5000, none);
        }
    }

    private static void assertOutside(
            Way way,
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            RowPlanes rows) {
        assertThrows(
                IndexOutOfBoundsException.class, () -> way.copy(source, from, target, to, rows));
    }

    @ParameterizedTest
    @EnumSource
    void refusesNumbersThatOverflowOrAreNegative(Way way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(1000, 64);
            MemorySegment target = arena.allocate(1000, 64);
            RowPlanes huge = new RowPlanes(8, Long.MAX_VALUE, 4, 4, 1, 0, 0);
            assertThrows(ArithmeticException.class, () -> way.copy(bytes, 0, target, 0, huge));
            RowPlanes negative = new RowPlanes(8, -1, 8, 8, 1, 0, 0);
            assertThrows(
                    IllegalArgumentException.class, () -> way.copy(bytes, 0, target, 0, negative));
        }
    }

    @Test
    void elementsHaveAFewSizes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(100);
            for (int size : new int[] {3, 5, 12, 17, 32}) {
                RowPlanes row = new RowPlanes(size, 1, 0, 0, 1, 0, 0);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> MachineCodeRowCopy.copyElements(bytes, 0, bytes, 50, row));
            }
        }
    }

    /**
     * Catches another class of a shared session in a new JDK: no target would be counted any more.
     */
    @Test
    void onlyWhatBelongsToASharedArenaIsCounted() {
        try (Arena shared = Arena.ofShared();
                Arena confined = Arena.ofConfined()) {
            assertTrue(MachineCodeRowCopy.isCounted(shared.allocate(8).asSlice(1)));
            assertFalse(MachineCodeRowCopy.isCounted(confined.allocate(8)));
            assertFalse(MachineCodeRowCopy.isCounted(MemorySegment.NULL.reinterpret(8)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesMemoryThatHasEndedAndSourcesOnTheHeap(Way way) {
        RowPlanes row = new RowPlanes(way.lengthMax(100), 1, 0, 0, 1, 0, 0);
        MemorySegment ended;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(100);
            MemorySegment heap = MemorySegment.ofArray(new byte[100]);
            assertThrows(IllegalArgumentException.class, () -> way.copy(heap, 0, source, 0, row));
            MemorySegment readOnly = arena.allocate(100).asReadOnly();
            assertThrows(
                    IllegalArgumentException.class, () -> way.copy(source, 0, readOnly, 0, row));
            ended = source;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment there = arena.allocate(100);
            assertThrows(IllegalStateException.class, () -> way.copy(ended, 0, there, 0, row));
            assertThrows(IllegalStateException.class, () -> way.copy(there, 0, ended, 0, row));
        }
    }
}
