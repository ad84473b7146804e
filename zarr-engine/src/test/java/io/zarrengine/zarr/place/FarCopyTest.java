package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NonTemporalCopy;
import io.zarrengine.zarr.GuardedMemory;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Boxes of up to five dimensions to a target that no cache holds, against a twin on the heap. */
final class FarCopyTest {
    private static final int TARGET_BYTES = 4 << 20;
    private static final int RANK_MAX = 5;

    @BeforeEach
    void needsX86() {
        assumeTrue(NonTemporalCopy.isAvailable(), () -> NonTemporalCopy.denial().orElseThrow());
    }

    private static void needsSmallTargetsToBeFar() {
        assumeTrue(FarCopy.TARGET_BYTES_MIN < TARGET_BYTES, "as in the build");
    }

    @Test
    void takesLongRowsToLargeNativeTargets() {
        long bytes = FarCopy.TARGET_BYTES_MIN;
        try (NativeMemory memory = NativeMemory.allocate(bytes)) { // Nobody touches it.
            assertTrue(FarCopy.takes(128, memory.segment()));
            assertFalse(FarCopy.takes(127, memory.segment()));
            assertFalse(FarCopy.takes(128, memory.segment().asSlice(1)));
        }
        assumeTrue(bytes < 1 << 20);
        assertFalse(FarCopy.takes(128, MemorySegment.ofArray(new byte[1 << 20])));
    }

    /** Elements of a chunk, to the far end of a target whose rows are longer. */
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
            StridedBox box = new StridedBox();
            int far = 0;
            for (int round = 0; round < 60; round++) {
                int elementBytes = 1 << random.nextInt(4);
                int rank = 1 + random.nextInt(RANK_MAX);
                long[] chunk = random.longs(rank, 1, 5).toArray();
                chunk[rank - 1] = 100L + random.nextInt(300);
                box.set(region(random, chunk, elementBytes), chunk, elementBytes);
                MemorySegment source = noise(random, arena, chunk, elementBytes);
                far += Scatter.isFar(box, target) ? 1 : 0;
                Scatter.copy(box, source, expected, 1);
                Scatter.copyOwned(box, source, target, 1);
            }
            assertEquals(-1, expected.mismatch(target));
            guarded.assertIntact();
            assertTrue(far > 20, "few were copied around the caches");
        }
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
