package io.zarrengine.bench.compare;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.zarrengine.bench.arrays.BenchArray;
import io.zarrengine.bench.arrays.NoisyField;
import io.zarrengine.bench.arrays.Texture;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Catches arrays that depend on their chunks or the order of writing, and arrays that compress
 * badly or too well.
 */
final class NoisyFieldTest {
    @Test
    void everyLayoutOfAFamilyHasTheSameElements() {
        byte[] small = chunk(BenchArray.VOL_16_ZSTD, 1, 0, 1);
        assertArrayEquals(small, chunk(BenchArray.VOL_32_BLOSC, 1, 0, 1));
    }

    @Test
    void makingAChunkAgainMakesTheSame() {
        assertArrayEquals(
                chunk(BenchArray.SAT_RAW, 3, 1, 1, 0), chunk(BenchArray.SAT_RAW, 3, 1, 1, 0));
    }

    @Test
    void chunksDiffer() {
        byte[] first = chunk(BenchArray.VOL_16_RAW, 0, 0, 0);
        assertFalse(Arrays.equals(first, chunk(BenchArray.VOL_16_RAW, 0, 0, 1)));
    }

    /** A codec must save a part: the elements vary around a mean, by noise more than by waves. */
    @ParameterizedTest
    @EnumSource(
            value = BenchArray.class,
            names = {"SAT_RAW", "WHOLE_RAW"})
    void elementsVaryAroundTheMean(BenchArray array) {
        MemorySegment elements =
                MemorySegment.ofArray(chunk(array, new long[array.shape().length]));
        double sum = 0;
        double squares = 0;
        int count = 10_000;
        for (int i = 0; i < count; i++) {
            double value = elements.getAtIndex(JAVA_SHORT.withByteAlignment(1), i * 101L);
            sum += value;
            squares += value * value;
        }
        Texture texture = array.texture();
        double mean = sum / count;
        double deviation = Math.sqrt(squares / count - mean * mean);
        assertEquals(texture.mean(), mean, array.shape().length * texture.amplitude());
        assertEquals(texture.noise(), deviation, texture.noise() + 3 * texture.amplitude());
        assertNotEquals(0, deviation, 0.1);
    }

    @Test
    void aVolumeHasVoids() {
        byte[] elements = chunk(BenchArray.VOL_16_RAW, 0, 0, 0);
        int zeros = 0;
        for (byte element : elements) {
            zeros += element == 0 ? 1 : 0;
        }
        double share = (double) zeros / elements.length;
        assertEquals(BenchArray.VOL_16_RAW.texture().voidShare(), share, 0.1);
    }

    private static byte[] chunk(BenchArray array, long... coordinates) {
        long bytes = array.type().byteSize();
        for (long length : array.chunkShape()) {
            bytes *= length;
        }
        MemorySegment elements =
                MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]);
        new NoisyField(array).fill(coordinates, elements);
        return elements.toArray(JAVA_BYTE);
    }
}
