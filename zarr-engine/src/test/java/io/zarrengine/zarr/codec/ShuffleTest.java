package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.zarr.GuardedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link ByteShuffle} and {@link BitShuffle}, against {@link SlowShuffle}. */
final class ShuffleTest {
    /** Numbers of elements; together with odd sizes, bytes are left over. */
    private static final int[] ELEMENTS = {0, 1, 7, 8, 9, 15, 16, 17, 64, 100, 256};

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 255})
    void undoesTheSlowShuffles(int elementBytes) {
        SplittableRandom random = new SplittableRandom(elementBytes);
        for (int elements : ELEMENTS) {
            for (int leftOver : new int[] {0, elementBytes / 2, elementBytes - 1}) {
                byte[] sample = new byte[elements * elementBytes + leftOver];
                random.nextBytes(sample);
                check(sample, elementBytes);
            }
        }
    }

    private static void check(byte[] sample, int elementBytes) {
        try (Arena arena = Arena.ofConfined()) {
            GuardedMemory target = new GuardedMemory(arena, sample.length);
            byte[] shuffled = SlowShuffle.shuffleBytes(sample, elementBytes);
            ByteShuffle.unshuffle(MemorySegment.ofArray(shuffled), target.segment(), elementBytes);
            assertArrayEquals(sample, target.segment().toArray(JAVA_BYTE));
            target.assertIntact();

            target.segment().fill((byte) 0);
            shuffled = SlowShuffle.shuffleBits(sample, elementBytes);
            BitShuffle.unshuffle(MemorySegment.ofArray(shuffled), target.segment(), elementBytes);
            assertArrayEquals(sample, target.segment().toArray(JAVA_BYTE));
            target.assertIntact();
        }
    }

    @Test
    void transposesEveryBit() {
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                long bit = 1L << (8 * row + column);
                assertEquals(1L << (8 * column + row), BitShuffle.transpose(bit));
            }
        }
        assertEquals(-1L, BitShuffle.transpose(-1L));
    }
}
