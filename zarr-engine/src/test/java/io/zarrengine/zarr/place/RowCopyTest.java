package io.zarrengine.zarr.place;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.GuardedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows to a target larger than the caches, up to its very ends, equal a twin on the heap. */
final class RowCopyTest {
    private static final long TARGET_BYTES = 16 << 20;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void copiesAsASlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] source = new byte[16 * 4000 + 2200];
        random.nextBytes(source);
        byte[] expected = new byte[(int) TARGET_BYTES];
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory guarded = new GuardedMemory(arena, TARGET_BYTES);
            MemorySegment target = guarded.segment().fill((byte) 0);
            for (int round = 0; round < 200; round++) {
                int rows = random.nextInt(17);
                int rowBytes = 200 + random.nextInt(2000);
                int stride = rowBytes + random.nextInt(20_000);
                int used = rows == 0 ? 0 : (rows - 1) * stride + rowBytes;
                int first = random.nextBoolean() ? 0 : (int) TARGET_BYTES - used;
                boolean isReversed = random.nextBoolean() && rows > 0;
                int to = isReversed ? first + (rows - 1) * stride : first;
                int targetStride = isReversed ? -stride : stride;
                int sourceStride = random.nextInt(4000);
                new RowCopy(
                                rows,
                                rowBytes,
                                MemorySegment.ofArray(source),
                                sourceStride,
                                target,
                                targetStride)
                        .copy(0, to);
                for (int row = 0; row < rows; row++) {
                    System.arraycopy(
                            source,
                            row * sourceStride,
                            expected,
                            to + row * targetStride,
                            rowBytes);
                }
            }
            assertEquals(-1, MemorySegment.ofArray(expected).mismatch(target));
            guarded.assertIntact();
        }
    }
}
