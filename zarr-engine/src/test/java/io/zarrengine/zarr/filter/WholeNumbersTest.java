package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Filters to integers and to float32: 64-bit arithmetic equals arithmetic of unlimited precision.
 */
final class WholeNumbersTest {
    private static final List<NumericType> INTEGERS = types(Kind.SIGNED, Kind.UNSIGNED);
    private static final List<NumericType> NUMBERS = types(Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT);

    private static List<NumericType> types(Kind... kinds) {
        List<Kind> wanted = List.of(kinds);
        return Arrays.stream(NumericType.values())
                .filter(type -> wanted.contains(type.kind()))
                .toList();
    }

    private static <T> T any(SplittableRandom random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Returns numbers near integers and halves, near the ends of types, or any at all. */
    private static long randomBits(SplittableRandom random, NumericType type, NumericType wanted) {
        if (random.nextInt(3) == 0) {
            return random.nextLong() & ones(type.bits());
        }
        long end = random.nextBoolean() ? 0 : 1L << random.nextInt(wanted.bits());
        double near = end + random.nextInt(-6, 7) / 2.0;
        double value = random.nextBoolean() ? near : -near;
        double nudged = random.nextInt(3) == 0 ? Math.nextUp(value) : value;
        if (type.kind() != Kind.FLOAT) {
            return (long) nudged & ones(type.bits());
        }
        try {
            return type.nearest(nudged);
        } catch (IllegalArgumentException e) { // The type has neither infinity nor this number.
            return 0;
        }
    }

    private static long ones(int bits) {
        return -1L >>> (Long.SIZE - bits);
    }

    private interface Exact {
        long of(long bits) throws CodecException;
    }

    private static void check(
            ArrayFilter filter, NumericType stored, NumericType wanted, long bits, Exact exact) {
        MemorySegment encoded = MemorySegment.ofArray(new byte[stored.byteSize()]);
        MemorySegment decoded = MemorySegment.ofArray(new byte[wanted.byteSize()]);
        Numbers.setBits(stored, encoded, 0, bits);
        long expected;
        try {
            expected = exact.of(bits);
        } catch (CodecException e) {
            var refused =
                    assertThrows(
                            CodecException.class,
                            () -> filter.decode(encoded, decoded, new BlockArrays()));
            assertEquals(e.getMessage(), refused.getMessage());
            return;
        }
        try {
            filter.decode(encoded, decoded, new BlockArrays());
        } catch (CodecException e) {
            throw new AssertionError(filter + " of " + Long.toHexString(bits), e);
        }
        long mask = ones(8 * wanted.byteSize());
        assertEquals(
                expected & mask,
                Numbers.bits(wanted, decoded, 0),
                () -> filter + " of " + Long.toHexString(bits));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void castsAsExactNumbersAreCast(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            NumericType stored = any(random, NUMBERS);
            NumericType wanted = any(random, INTEGERS);
            CastValue cast =
                    new CastValue(
                            stored,
                            wanted,
                            any(random, List.of(Rounding.values())),
                            any(random, List.of(CastValue.OutOfRange.values())),
                            Map.of(),
                            1);
            check(cast, stored, wanted, randomBits(random, stored, wanted), cast::convert);
        }
    }

    /** Returns numbers near float32 and half way between two of them, also at their ends. */
    private static double nearSingle(SplittableRandom random) {
        float single = Float.intBitsToFloat(random.nextInt());
        if (random.nextInt(8) == 0) {
            single = random.nextBoolean() ? Float.MAX_VALUE : Float.MIN_VALUE;
        }
        double next = Math.nextUp(Math.abs(single));
        double end = Double.isInfinite(next) ? 0x1p128 : next;
        double between = Math.abs(single) + (end - Math.abs(single)) * random.nextInt(5) / 4;
        double nudged = random.nextInt(3) == 0 ? Math.nextUp(between) : between;
        return random.nextBoolean() ? nudged : -nudged;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void narrowsAsExactNumbersAreNarrowed(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            CastValue cast =
                    new CastValue(
                            NumericType.FLOAT64,
                            NumericType.FLOAT32,
                            any(random, List.of(Rounding.values())),
                            any(random, List.of(CastValue.OutOfRange.values())),
                            Map.of(),
                            1);
            long bits =
                    random.nextInt(4) == 0
                            ? random.nextLong()
                            : Double.doubleToRawLongBits(nearSingle(random));
            check(cast, NumericType.FLOAT64, NumericType.FLOAT32, bits, cast::convert);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void scalesAsExactNumbersAreScaled(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            NumericType type = any(random, INTEGERS);
            long scale = randomBits(random, type, type);
            ScaleOffset filter =
                    new ScaleOffset(
                            type, scale == 0 ? 1 : scale, randomBits(random, type, type), 1);
            check(filter, type, type, randomBits(random, type, type), filter::exactly);
        }
    }
}
