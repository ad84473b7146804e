package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rounding to small floats equals a table of all their numbers. Fails if a number is rounded twice:
 * first to float64, which may make a tie, and then again.
 */
final class RoundingTest {
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    private static Stream<NumericType> smallFloats() {
        return Arrays.stream(NumericType.values())
                .filter(type -> type.kind() == Kind.FLOAT && type.bits() <= 16);
    }

    /** Returns the finite numbers of a type without sign, and their patterns. */
    private static NavigableMap<BigDecimal, Long> numbers(NumericType type) {
        NavigableMap<BigDecimal, Long> numbers = new TreeMap<>();
        for (long bits = 0; bits < 1L << type.bits(); bits++) {
            double number = type.toDouble(bits);
            if (Double.isFinite(number) && Math.copySign(1, number) > 0) {
                numbers.put(new BigDecimal(number), bits);
            }
        }
        return numbers;
    }

    @ParameterizedTest(name = "{0}, seed 42")
    @MethodSource("smallFloats")
    void roundsIntegersOnce(NumericType type) {
        SplittableRandom random = new SplittableRandom(42);
        NavigableMap<BigDecimal, Long> numbers = numbers(type);
        for (NumericType stored : NumericType.values()) {
            if (stored.kind() == Kind.SIGNED || stored.kind() == Kind.UNSIGNED) {
                for (BigInteger value : integers(random, stored, numbers)) {
                    check(type, numbers, new BigDecimal(value));
                }
            }
        }
    }

    /** Returns the ends of the range, and numbers at and beside the middle of two neighbours. */
    private static List<BigInteger> integers(
            SplittableRandom random, NumericType stored, NavigableMap<BigDecimal, Long> numbers) {
        IntegerRange range = IntegerRange.of(stored);
        List<BigInteger> values = new ArrayList<>(List.of(range.min(), range.max()));
        List<BigDecimal> all = List.copyOf(numbers.keySet());
        for (int i = 0; i < 40; i++) {
            BigInteger any = BigInteger.valueOf(random.nextLong() >> random.nextInt(64));
            int at = random.nextInt(all.size() - 1);
            BigInteger tie = all.get(at).add(all.get(at + 1)).divide(TWO).toBigInteger();
            BigInteger end = all.getLast().toBigInteger();
            for (BigInteger near : List.of(any, tie, end, end.subtract(tie).add(end))) {
                values.add(near.add(BigInteger.valueOf(random.nextInt(-1, 2))));
                values.add(near.negate().add(BigInteger.valueOf(random.nextInt(-1, 2))));
            }
        }
        return values.stream().filter(range::contains).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void roundsFractionsOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        smallFloats()
                .forEach(type -> {
                    NavigableMap<BigDecimal, Long> numbers = numbers(type);
                    List<BigDecimal> all = List.copyOf(numbers.keySet());
                    for (int i = 0; i < 100; i++) {
                        int at = random.nextInt(all.size() - 1);
                        double tie = all.get(at).add(all.get(at + 1)).divide(TWO).doubleValue();
                        double end = 2 * all.getLast().doubleValue() - tie;
                        double first = all.getFirst().doubleValue() + all.get(1).doubleValue() / 2;
                        for (double near : new double[] {tie, first, end}) {
                            double value = near + random.nextInt(-1, 2) * Math.ulp(near);
                            check(
                                    type,
                                    numbers,
                                    new BigDecimal(random.nextBoolean() ? value : -value));
                        }
                    }
                });
    }

    private static void check(
            NumericType type, NavigableMap<BigDecimal, Long> numbers, BigDecimal value) {
        for (Rounding rounding : Rounding.values()) {
            String what = value + " as " + type + ", " + rounding;
            Long expected = expected(type, numbers, value, rounding);
            assertEquals(expected != null, rounding.staysInRange(type, value), what);
            if (expected != null) {
                assertEquals(expected, rounding.toFloat(type, value), what);
            }
        }
    }

    /** Returns the bits of the element, or null for a number outside the type. */
    private static Long expected(
            NumericType type,
            NavigableMap<BigDecimal, Long> numbers,
            BigDecimal value,
            Rounding rounding) {
        BigDecimal exact = value.abs();
        boolean negative = value.signum() < 0;
        if (negative && !type.typeName().equals("float8_e8m0fnu")) {
            Rounding mirrored =
                    switch (rounding) {
                        case TOWARDS_POSITIVE -> Rounding.TOWARDS_NEGATIVE;
                        case TOWARDS_NEGATIVE -> Rounding.TOWARDS_POSITIVE;
                        default -> rounding;
                    };
            Long magnitude = expected(type, numbers, exact, mirrored);
            boolean hasNoZero = Double.isNaN(type.toDouble(1L << (type.bits() - 1)));
            boolean staysZero = magnitude != null && magnitude == 0 && hasNoZero;
            return magnitude == null || staysZero
                    ? magnitude
                    : Long.valueOf(magnitude | 1L << (type.bits() - 1));
        }
        if (negative) {
            return null;
        }
        Map.Entry<BigDecimal, Long> low = numbers.floorEntry(exact);
        if (low == null || low.getKey().compareTo(exact) == 0) {
            return low == null ? numbers.firstEntry().getValue() : low.getValue();
        }
        Map.Entry<BigDecimal, Long> high = numbers.higherEntry(exact);
        boolean isNearest = rounding == Rounding.NEAREST_EVEN || rounding == Rounding.NEAREST_AWAY;
        if (high == null && !isNearest) {
            return null;
        }
        BigDecimal above =
                high != null
                        ? high.getKey()
                        : low.getKey().multiply(TWO).subtract(numbers.lowerKey(low.getKey()));
        int side = exact.multiply(TWO).compareTo(low.getKey().add(above));
        boolean up =
                switch (rounding) {
                    case TOWARDS_ZERO, TOWARDS_NEGATIVE -> false;
                    case TOWARDS_POSITIVE -> true;
                    case NEAREST_AWAY -> side >= 0;
                    case NEAREST_EVEN -> side > 0 || (side == 0 && low.getValue() % 2 == 1);
                };
        return up ? (high == null ? null : high.getValue()) : low.getValue();
    }

    /** The nearest float64 is the middle of two bfloat16. */
    @Test
    void roundsANumberBesideATieToItsNearest() {
        BigDecimal tie = new BigDecimal(BigInteger.ONE.shiftLeft(60).setBit(52));
        for (Rounding rounding : List.of(Rounding.NEAREST_EVEN, Rounding.NEAREST_AWAY)) {
            BigDecimal above = tie.add(BigDecimal.ONE);
            assertEquals(0x5d81, rounding.toFloat(NumericType.BFLOAT16, above));
            BigDecimal below = tie.subtract(BigDecimal.ONE);
            assertEquals(0x5d80, rounding.toFloat(NumericType.BFLOAT16, below));
        }
    }

    /** 464 is the middle of the largest number and its would-be successor. */
    @Test
    void roundsATieAboveTheLargestNumber() {
        NumericType type = NumericType.FLOAT8_E4M3FN;
        assertTrue(Rounding.NEAREST_EVEN.staysInRange(type, BigDecimal.valueOf(464)));
        assertFalse(Rounding.NEAREST_AWAY.staysInRange(type, BigDecimal.valueOf(464)));
    }

    /** float32 and float64 have too many numbers for a table. */
    @Test
    void roundsToLargeFloats() {
        BigDecimal tie = BigDecimal.valueOf((1L << 60) + (1L << 36));
        assertEquals(
                Float.floatToRawIntBits(0x1p60f + 0x1p37f),
                Rounding.NEAREST_EVEN.toFloat(NumericType.FLOAT32, tie.add(BigDecimal.ONE)));
        assertEquals(
                Float.floatToRawIntBits(0x1p60f),
                Rounding.NEAREST_EVEN.toFloat(NumericType.FLOAT32, tie));
        BigDecimal odd = BigDecimal.valueOf((1L << 53) + 1);
        assertEquals(
                Double.doubleToRawLongBits(-0x1p53),
                Rounding.TOWARDS_POSITIVE.toFloat(NumericType.FLOAT64, odd.negate()));
        assertEquals(
                Double.doubleToRawLongBits(-0x1p53 - 2),
                Rounding.NEAREST_AWAY.toFloat(NumericType.FLOAT64, odd.negate()));
    }
}
