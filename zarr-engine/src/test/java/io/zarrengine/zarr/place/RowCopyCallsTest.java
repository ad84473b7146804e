package io.zarrengine.zarr.place;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.HeapCalls;
import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.NativeMemory;
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
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Row copies of boxes of up to five dimensions, with short rows and to targets larger than the
 * caches, equal a twin on the heap.
 */
final class RowCopyCallsTest {
    private static final int TARGET_BYTES = 4 << 20;
    private static final int RANK_MAX = 5;

    @BeforeEach
    void needsX86() {
        assumeTrue(
                MachineCodeRowCopy.isAvailable(), () -> MachineCodeRowCopy.denial().orElseThrow());
    }

    private static void needsSmallTargetsToBeFar() {
        assumeTrue(NonTemporalTargets.BYTES_MIN < TARGET_BYTES, "as in the build");
    }

    /** Returns rows of bytes, as far from each other as they are long. */
    private static StridedBox rows(int rows, int bytes) {
        StridedBox box = new StridedBox();
        long[] ones = {1, 1};
        long[] stride = {2L * bytes, 1};
        box.set(
                new Region(new long[2], ones, new long[] {rows, bytes}, stride, 0),
                new long[] {rows, bytes},
                1);
        return box;
    }

    @Test
    void acceptsManyShortRowsAndLongRowsToLargeTargets() {
        long bytes = NonTemporalTargets.BYTES_MIN;
        try (NativeMemory memory = NativeMemory.allocate(bytes)) { // The memory is never accessed.
            MemorySegment far = memory.segment();
            assertTrue(RowCopyCalls.takes(rows(32, 256), far.asSlice(1)));
            assertFalse(RowCopyCalls.takes(rows(31, 256), far.asSlice(1)), "few");
            assertTrue(RowCopyCalls.takes(rows(8, 2048), far.asSlice(1)));
            assertFalse(RowCopyCalls.takes(rows(7, 2048), far.asSlice(1)), "fewer");
            assertFalse(RowCopyCalls.takes(rows(8, 2049), far.asSlice(1)), "long");
            assertTrue(RowCopyCalls.takes(rows(2, 2049), far));
            assertTrue(RowCopyCalls.takes(rows(2, 128), far));
            assertFalse(RowCopyCalls.takes(rows(2, 127), far));
            MemorySegment uncounted = NativeHandle.withoutOwner(far).asSlice(1);
            assertTrue(RowCopyCalls.takes(rows(8, 2), uncounted));
            assertFalse(RowCopyCalls.takes(rows(7, 2), uncounted), "sooner copied by Java");
        }
        MemorySegment heap = MemorySegment.ofArray(new byte[4 << 20]);
        boolean mayWrite = HeapCalls.denial().isEmpty();
        assertEquals(mayWrite, RowCopyCalls.takes(rows(8, 16), heap));
        if (NonTemporalTargets.BYTES_MIN <= heap.byteSize()) {
            assertEquals(mayWrite, RowCopyCalls.takes(rows(1, 256 << 10), heap));
            assertFalse(RowCopyCalls.takes(rows(1, (256 << 10) + 1), heap), "long for a collector");
        }
    }

    /**
     * Unless bus errors are handled, a truncated mapped file ends the process in machine code. A
     * missing row shows which code copied, because machine code checks before it copies.
     */
    @Test
    void copiesMappedMemoryInMachineCodeOnlyWithAHandler() {
        StridedBox box = rows(1000, 16);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(15_999).fill((byte) 7);
            MemorySegment target = arena.allocate(32_000);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> Scatter.copyFastest(box, source, target, 1));
            assertEquals(0, target.get(JAVA_BYTE, 0));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> Scatter.copyFastest(box, source.asReadOnly(), target, 1));
            int first = MachineCodeRowCopy.exposure().isPresent() ? 7 : 0;
            assertEquals(first, target.get(JAVA_BYTE, 0));
        }
    }

    /** Returns elements of a chunk, for the far end of a target with longer rows. */
    private static Region region(SplittableRandom random, long[] chunk, int elementBytes) {
        int rank = chunk.length;
        long[] start = new long[rank];
        long[] step = new long[rank];
        long[] count = new long[rank];
        long[] stride = new long[rank];
        long offset = random.nextInt(100);
        long extent = elementBytes;
        for (int d = rank - 1; d >= 0; d--) {
            start[d] = random.nextLong(Math.ceilDiv(chunk[d], 2));
            step[d] = d == rank - 1 ? 1 : 1 + random.nextInt(2);
            count[d] = 1 + random.nextLong(Math.ceilDiv(chunk[d] - start[d], step[d]));
            boolean isReversed = d < rank - 1 && random.nextInt(4) == 0;
            long distance = extent + (d < rank - 1 ? random.nextInt(200) : 0);
            stride[d] = isReversed ? -distance : distance;
            offset += isReversed ? (count[d] - 1) * distance : 0;
            extent += (count[d] - 1) * distance;
        }
        assertTrue(extent < TARGET_BYTES / 2, () -> "too large: " + rank);
        return new Region(start, step, count, stride, offset + TARGET_BYTES / 2);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void copiesAsASlowTwinDoes(long seed) {
        needsSmallTargetsToBeFar();
        SplittableRandom random = new SplittableRandom(seed);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment expected = MemorySegment.ofArray(new byte[TARGET_BYTES]);
            GuardedMemory guarded = new GuardedMemory(arena, TARGET_BYTES);
            MemorySegment target = guarded.segment().fill((byte) 0);
            MemorySegment heap = MemorySegment.ofArray(new byte[TARGET_BYTES]);
            StridedBox box = new StridedBox();
            int far = 0;
            int near = 0;
            for (int round = 0; round < 100; round++) {
                int elementBytes = 1 << random.nextInt(4);
                boolean hasLongRows = random.nextBoolean();
                int rank = hasLongRows ? 1 + random.nextInt(RANK_MAX) : 2 + random.nextInt(2);
                long[] chunk = random.longs(rank, 1, hasLongRows ? 5 : 50).toArray();
                chunk[rank - 1] = hasLongRows ? 100L + random.nextInt(300) : 33;
                box.set(region(random, chunk, elementBytes), chunk, elementBytes);
                MemorySegment source = noise(random, arena, chunk, elementBytes);
                boolean isLong = box.rowBytes() > 256;
                far += isLong && Scatter.isMachineCodeFaster(box, target, 1) ? 1 : 0;
                near += !isLong && Scatter.isMachineCodeFaster(box, target, 1) ? 1 : 0;
                Scatter.copy(box, source, expected, 1);
                Scatter.copyFastest(box, source, target, 1);
                Scatter.copyFastest(box, source, heap, 1);
            }
            assertEquals(-1, expected.mismatch(target));
            assertEquals(-1, expected.mismatch(heap));
            guarded.assertIntact();
            assertTrue(far > 5, "few were copied around the caches: " + far);
            assertTrue(near > 2, "few had many short rows: " + near);
        }
    }

    /**
     * A garbage collection waits for a call with heap memory, so each call copies some of the rows.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 70000, 33",
        "1, 9000, 250",
        "1, 2200, 1000",
        "1, 3, 260000",
        "3, 5000, 2",
        "1400, 2, 200",
        "7, 500, 300"
    })
    void copiesMuchToTheHeapInSeveralCalls(int planes, int rows, int bytes) {
        SplittableRandom random = new SplittableRandom(rows);
        try (Arena arena = Arena.ofConfined()) {
            long[] shape = {planes, rows, bytes};
            MemorySegment source = noise(random, arena, shape, 1);
            int all = 3 * planes * rows * bytes;
            MemorySegment target = MemorySegment.ofArray(new long[all / 8 + 1]);
            MemorySegment expected = MemorySegment.ofArray(new long[all / 8 + 1]);
            StridedBox box = new StridedBox();
            long[] stride = {3L * rows * bytes, 2L * bytes, 1};
            box.set(new Region(new long[3], new long[] {1, 1, 1}, shape, stride, 0), shape, 1);
            assertTrue(
                    RowCopyCalls.rowsOfCallMax(target, bytes) < (long) planes * rows, "one call");
            Scatter.copy(box, source, expected, 1);
            Scatter.copyFastest(box, source, target, 1);
            assertEquals(-1, expected.mismatch(target));
        }
    }

    /** A row of two bytes takes as long as a cache line if it lies far from others. */
    @Test
    void copiesFewRowsInACallToTheHeap() {
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);
        assertEquals(4096, RowCopyCalls.rowsOfCallMax(heap, 2));
        assertEquals(4096, RowCopyCalls.rowsOfCallMax(heap, 64));
        assertEquals(262, RowCopyCalls.rowsOfCallMax(heap, 1000));
        assertEquals(0, RowCopyCalls.rowsOfCallMax(heap, 300_000));
        assertEquals(Long.MAX_VALUE, RowCopyCalls.rowsOfCallMax(MemorySegment.NULL, 2));
    }

    private static MemorySegment noise(
            SplittableRandom random, Arena arena, long[] chunk, int elementBytes) {
        long bytes = elementBytes;
        for (long length : chunk) {
            bytes *= length;
        }
        byte[] noise = new byte[(int) bytes];
        random.nextBytes(noise);
        return arena.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(noise));
    }
}
