package io.zarrengine.zarr.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cuts of one dimension, also for lengths close to 63 bits. GridPlanTest covers small ones. */
final class RegularCutTest {
    @ParameterizedTest
    @CsvSource({
        // start, step, count, length of a chunk; cuts, first and last chunk
        "0, 1, 1, 1, 1, 0, 0",
        "0, 1, 10, 10, 1, 0, 0",
        "0, 1, 11, 10, 2, 0, 1",
        "9, 1, 2, 10, 2, 0, 1",
        "10, 1, 10, 10, 1, 1, 1",
        "5, 10, 3, 10, 3, 0, 2", // a step as long as a chunk
        "5, 11, 3, 10, 3, 0, 2",
        "0, 25, 3, 10, 3, 0, 5", // chunks in between hold nothing
        "0, 9, 11, 10, 10, 0, 9",
        "0, 1, 9223372036854775807, 1, 9223372036854775807, 0, 9223372036854775806",
        "0, 1, 9223372036854775807, 9223372036854775807, 1, 0, 0",
    })
    void countsTheChunksThatHoldAPosition(
            long start, long step, long count, long chunkLength, long cuts, long first, long last) {
        RegularCut cut = new RegularCut(start, step, count, chunkLength);
        assertEquals(cuts, cut.cuts());
        assertEquals(first, cut.chunk(0));
        assertEquals(last, cut.chunk(cuts - 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void largeLengthsDoNotOverflow(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 3000; round++) {
            long length = random.nextLong(1L << 61, Long.MAX_VALUE);
            long chunkLength = powerOfTwoOrSo(random, length);
            long step = powerOfTwoOrSo(random, length);
            long start = random.nextBoolean() ? random.nextLong(length) : random.nextLong(100);
            long most = (length - 1 - start) / step + 1;
            long count = random.nextBoolean() ? most : 1 + random.nextLong(most);
            checkCuts(random, start, step, count, chunkLength);
        }
    }

    /** Returns numbers of any order of magnitude. */
    private static long powerOfTwoOrSo(SplittableRandom random, long max) {
        return Math.min(max, 1 + random.nextLong(1L << random.nextInt(63)));
    }

    private static void checkCuts(
            SplittableRandom random, long start, long step, long count, long chunkLength) {
        RegularCut cut = new RegularCut(start, step, count, chunkLength);
        long cuts = cut.cuts();
        assertEquals(0, cut.first(0));
        assertEquals(count, cut.first(cuts - 1) + cut.count(cuts - 1));
        LongStream.concat(LongStream.of(0, cuts - 1), random.longs(6, 0, cuts))
                .forEach(i -> {
                    String what =
                            start + " " + step + " " + count + " " + chunkLength + ", cut " + i;
                    assertTrue(cut.count(i) > 0, what);
                    long firstPosition = position(start, step, cut.first(i));
                    long lastPosition = position(start, step, cut.first(i) + cut.count(i) - 1);
                    assertEquals(firstPosition / chunkLength, cut.chunk(i), what);
                    assertEquals(lastPosition / chunkLength, cut.chunk(i), what);
                    assertEquals(firstPosition % chunkLength, cut.startInChunk(i), what);
                    if (i + 1 < cuts) {
                        assertEquals(cut.first(i) + cut.count(i), cut.first(i + 1), what);
                        assertTrue(cut.chunk(i) < cut.chunk(i + 1), what);
                    }
                });
    }

    private static long position(long start, long step, long i) {
        return BigInteger.valueOf(step)
                .multiply(BigInteger.valueOf(i))
                .add(BigInteger.valueOf(start))
                .longValueExact();
    }

    @Test
    void aChunkWithoutAPositionIsNoCut() {
        RegularCut cut = new RegularCut(3, 7, 4, 5); // 3, 10, 17, 24
        assertEquals(4, cut.cuts());
        long[] chunks = LongStream.range(0, 4).map(cut::chunk).toArray();
        assertArrayEquals(new long[] {0, 2, 3, 4}, chunks);
    }
}
