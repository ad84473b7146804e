package io.zarrengine.gpu.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the batch sizes for a device with 132 multiprocessors. */
final class BatchSizesTest {
    private static final BatchSizes SIZES = new BatchSizes(132);

    @ParameterizedTest(name = "{0} of a batch of {1}, {2} to come: {3}")
    @CsvSource({
        "1023, 8448, 15746, 1", // fewer take nearly as long
        "1024, 8448, 7296, 3136", // two waves, each less half a slot
        "1024, 8448, 7297, 0", // and one chunk
        "1024, 8448, 8321, 1", // and 1,025
        "1025, 8448, 8320, 0",
        "4160, 8448, 8320, 0",
        "4159, 8448, 8321, 1",
        "4000, 8448, 1023, 1023", // the rest is waited for
        "4000, 8448, 1025, 0",
        "2000, 2112, 1023, 0", // the rest has no room
        "2048, 2112, 4096, 0", // and two batches, each less half a slot
        "1500, 2112, 4644, 548",
        "400, 528, 4644, 128", // the maximum of a batch
        "64, 64, 100, 0"
    })
    void aBatchBeginsWithWhatIsLeftOver(int chunks, int most, long toCome, long expected) {
        assertEquals(expected, SIZES.missing(chunks, (double) chunks / most, toCome));
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
        "4100, 124, false",
        "4100, 125, true",
        "4224, 1, true",
        "1024, 4000, true",
        "4225, 4000, false",
        "8400, 49, true",
        "1000, 4000, false" // too few for a batch
    })
    void aWaveEndsBeforeTheSlotThatBeginsAnother(int chunks, int next, boolean expected) {
        assertEquals(expected, SIZES.isWhole(chunks, next));
    }

    @Test
    void aBatchHasRoomForAsMuchAsIsLeft() {
        assertTrue(BatchSizes.fits(1000, 0.25, 3000));
        assertFalse(BatchSizes.fits(1000, 0.25, 3001));
        assertTrue(BatchSizes.fits(1, 0, 1_000_000));
    }
}
