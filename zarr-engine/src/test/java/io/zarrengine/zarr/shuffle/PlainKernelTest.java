package io.zarrengine.zarr.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Plain Java, and its transposition. */
final class PlainKernelTest extends ShuffleKernelContract {
    @Override
    ShuffleKernel kernel() {
        return new PlainKernel();
    }

    @Test
    void transposesEveryBit() {
        for (int row = 0; row < 8; row++) {
            for (int column = 0; column < 8; column++) {
                long bit = 1L << (8 * row + column);
                assertEquals(1L << (8 * column + row), PlainKernel.transpose(bit));
            }
        }
        assertEquals(-1L, PlainKernel.transpose(-1L));
    }
}
