package io.zarrengine.zarr.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Small floats equal the JDK's where it has them, else their published tables. */
final class FloatFormatTest {
    private static final Set<FloatFormat> WITH_INFINITY =
            EnumSet.of(
                    FloatFormat.FLOAT16,
                    FloatFormat.BFLOAT16,
                    FloatFormat.FLOAT8_E5M2,
                    FloatFormat.FLOAT8_E4M3,
                    FloatFormat.FLOAT8_E3M4);

    @Test
    void readsEveryFloat16LikeTheJdk() {
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            assertSame(Float.float16ToFloat((short) pattern), FloatFormat.FLOAT16, pattern);
        }
    }

    @Test
    void readsEveryBfloat16AsTheUpperHalfOfAFloat() {
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            assertSame(Float.intBitsToFloat(pattern << 16), FloatFormat.BFLOAT16, pattern);
        }
    }

    private static void assertSame(double expected, FloatFormat format, int pattern) {
        double actual = format.toDouble(pattern);
        assertEquals(0, Double.compare(expected, actual), () -> format + " " + pattern);
    }

    @ParameterizedTest
    @CsvSource({
        // bits, the largest number and its pattern, exponent of the smallest, NaN or -1
        "FLOAT16, 16, 65504, 0x7bff, -24, 0x7e00",
        "BFLOAT16, 16, 3.3895313892515355e38, 0x7f7f, -133, 0x7fc0",
        "FLOAT8_E5M2, 8, 57344, 0x7b, -16, 0x7e",
        "FLOAT8_E4M3, 8, 240, 0x77, -9, 0x7c",
        "FLOAT8_E3M4, 8, 15.5, 0x6f, -6, 0x78",
        "FLOAT8_E4M3FN, 8, 448, 0x7e, -9, 0x7f",
        "FLOAT8_E4M3B11FNUZ, 8, 30, 0x7f, -13, 0x80",
        "FLOAT8_E4M3FNUZ, 8, 240, 0x7f, -10, 0x80",
        "FLOAT8_E5M2FNUZ, 8, 57344, 0x7f, -17, 0x80",
        "FLOAT8_E8M0FNU, 8, 1.7014118346046923e38, 0xfe, -127, 0xff",
        "FLOAT6_E2M3FN, 6, 7.5, 0x1f, -3, -1",
        "FLOAT6_E3M2FN, 6, 28, 0x1f, -4, -1",
        "FLOAT4_E2M1FN, 4, 6, 0x7, -1, -1",
    })
    void hasTheLimitsThatMlDtypesLists(
            FloatFormat format, int bits, double max, int maxPattern, int minExponent, int nan) {
        int minPattern = format == FloatFormat.FLOAT8_E8M0FNU ? 0 : 1;
        assertEquals(bits, format.bits());
        assertEquals(max, format.toDouble(maxPattern));
        assertEquals(
                max,
                patterns(format)
                        .mapToDouble(format::toDouble)
                        .filter(Double::isFinite)
                        .max()
                        .orElseThrow());
        assertEquals(Math.scalb(1.0, minExponent), format.toDouble(minPattern));
        assertEquals(nan >= 0, patterns(format).anyMatch(p -> Double.isNaN(format.toDouble(p))));
        if (nan >= 0) {
            assertEquals(nan, format.nearest(Double.NaN));
            assertTrue(Double.isNaN(format.toDouble(nan)));
        } else {
            assertThrows(IllegalArgumentException.class, () -> format.nearest(Double.NaN));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT8_E5M2, 0x7d, NaN",
        "FLOAT8_E5M2, 0x7f, NaN",
        "FLOAT8_E5M2, 0xfe, NaN",
        "FLOAT8_E5M2, 0x7c, Infinity",
        "FLOAT8_E5M2, 0xfc, -Infinity",
        "FLOAT8_E4M3, 0x79, NaN",
        "FLOAT8_E4M3, 0x78, Infinity",
        "FLOAT8_E3M4, 0x71, NaN",
        "FLOAT8_E3M4, 0xf0, -Infinity",
        "FLOAT8_E4M3FN, 0x7f, NaN",
        "FLOAT8_E4M3FN, 0xff, NaN",
        "FLOAT8_E4M3FN, 0x78, 256",
        "FLOAT8_E4M3FN, 0x80, -0.0",
        "FLOAT8_E4M3FNUZ, 0x80, NaN",
        "FLOAT8_E4M3FNUZ, 0xff, -240",
        "FLOAT8_E4M3B11FNUZ, 0xff, -30",
        "FLOAT8_E5M2FNUZ, 0x7c, 32768",
        "FLOAT8_E8M0FNU, 0x7f, 1",
        "FLOAT8_E8M0FNU, 0x80, 2",
        "FLOAT6_E2M3FN, 0x20, -0.0",
        "FLOAT6_E2M3FN, 0x3f, -7.5",
        "FLOAT6_E3M2FN, 0x0c, 1",
        "FLOAT4_E2M1FN, 0x1, 0.5",
        "FLOAT4_E2M1FN, 0x3, 1.5",
        "FLOAT4_E2M1FN, 0xf, -6",
    })
    void hasTheSpecialPatternsThatMlDtypesLists(FloatFormat format, int pattern, double number) {
        assertSame(number, format, pattern);
    }

    /** Takes a part of the 16-bit formats: {@code nearest} compares every pattern each time. */
    @ParameterizedTest
    @EnumSource
    void nearestIsTheInverseOfToDouble(FloatFormat format) {
        int step = format.bits() == 16 ? 251 : 1;
        int top = 1 << format.bits();
        IntStream edges = IntStream.of(1, 2, top / 2 - 1, top / 2, top / 2 + 1, top - 1);
        IntStream some = IntStream.range(0, top).filter(pattern -> pattern % step == 0);
        IntStream.concat(edges, some)
                .filter(pattern -> !Double.isNaN(format.toDouble(pattern)))
                .forEach(
                        pattern -> assertEquals(pattern, format.nearest(format.toDouble(pattern))));
    }

    @ParameterizedTest
    @EnumSource
    void roundsTiesToEvenAndAllElseToTheNearest(FloatFormat format) {
        int largest = format.nearest(largest(format));
        int step = format.bits() == 16 ? 1021 : 1;
        for (int pattern = 0; pattern < largest; pattern += step) {
            double lower = format.toDouble(pattern);
            double upper = format.toDouble(pattern + 1);
            double middle = (lower + upper) / 2;
            int even = pattern % 2 == 0 ? pattern : pattern + 1;
            assertEquals(even, format.nearest(middle), "a tie");
            assertEquals(pattern, format.nearest(Math.nextDown(middle)));
            assertEquals(pattern + 1, format.nearest(Math.nextUp(middle)));
        }
    }

    /** The nearest of two zeros is the one with the number's sign. */
    @ParameterizedTest
    @EnumSource(
            value = FloatFormat.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"FLOAT8_E8M0FNU"})
    void keepsTheSignOfWhatRoundsToZero(FloatFormat format) {
        int negativeZero = 1 << (format.bits() - 1);
        boolean oneZero = Double.isNaN(format.toDouble(negativeZero));
        assertEquals(0, format.nearest(1e-300));
        assertEquals(oneZero ? 0 : negativeZero, format.nearest(-1e-300));
    }

    @ParameterizedTest
    @EnumSource
    void overflowsToInfinityOnlyWhereThereIsOne(FloatFormat format) {
        double max = largest(format);
        double halfStep = (max - format.toDouble(format.nearest(max) - 1)) / 2;
        assertEquals(format.nearest(max), format.nearest(Math.nextDown(max + halfStep)));
        for (double beyond : new double[] {Math.nextUp(max + halfStep), 4 * max, 1e300}) {
            if (WITH_INFINITY.contains(format)) {
                int infinity = format.nearest(Double.POSITIVE_INFINITY);
                assertEquals(Double.POSITIVE_INFINITY, format.toDouble(infinity));
                assertEquals(infinity, format.nearest(beyond));
                assertEquals(Double.NEGATIVE_INFINITY, format.toDouble(format.nearest(-beyond)));
            } else {
                assertThrows(IllegalArgumentException.class, () -> format.nearest(beyond));
                assertThrows(IllegalArgumentException.class, () -> format.nearest(-beyond));
            }
        }
    }

    /** Values between the largest number and its would-be successor round to the even pattern. */
    @ParameterizedTest
    @CsvSource({
        "FLOAT16, 65520, 0x7c00", "FLOAT8_E5M2, 61440, 0x7c", "FLOAT8_E4M3, 248, 0x78",
        "FLOAT8_E3M4, 15.75, 0x70", "FLOAT8_E4M3FN, 464, 0x7e", "FLOAT8_E4M3FNUZ, 248, -1",
        "FLOAT8_E5M2FNUZ, 61440, -1", "FLOAT6_E2M3FN, 7.75, -1", "FLOAT4_E2M1FN, 7, -1",
    })
    void aTieBeyondTheLargestNumberGoesToTheEvenPattern(
            FloatFormat format, double tie, int pattern) {
        if (pattern < 0) {
            assertThrows(IllegalArgumentException.class, () -> format.nearest(tie));
        } else {
            assertEquals(pattern, format.nearest(tie));
        }
    }

    @Test
    void refusesInfinitiesOfFiniteFormatsAndNegativeScales() {
        for (FloatFormat format : EnumSet.complementOf(EnumSet.copyOf(WITH_INFINITY))) {
            assertThrows(
                    IllegalArgumentException.class, () -> format.nearest(Double.POSITIVE_INFINITY));
        }
        assertThrows(
                IllegalArgumentException.class, () -> FloatFormat.FLOAT8_E8M0FNU.nearest(-2.0));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void roundsToFloat16AsTheJdkDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (i % 2 == 0) { // Most floats are too large or too small for 16 bits.
                value = (float) Math.scalb(random.nextDouble(-2, 2), random.nextInt(-26, 16));
            }
            if (!Float.isNaN(value)) {
                short expected = Float.floatToFloat16(value);
                assertEquals(expected, (short) FloatFormat.FLOAT16.nearest(value), "" + value);
            }
        }
    }

    private static double largest(FloatFormat format) {
        return patterns(format)
                .mapToDouble(format::toDouble)
                .filter(Double::isFinite)
                .max()
                .orElseThrow();
    }

    private static IntStream patterns(FloatFormat format) {
        return IntStream.range(0, 1 << format.bits());
    }
}
