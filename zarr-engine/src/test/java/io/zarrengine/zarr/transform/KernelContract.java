package io.zarrengine.zarr.transform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels give the results of the slow twin, to one unit in the last place of their type. Fails if
 * a step, its place among the others, or a cast is wrong.
 */
abstract class KernelContract {
    private static final List<NumericType> RESULTS =
            List.of(
                    NumericType.BOOL,
                    NumericType.INT8,
                    NumericType.INT16,
                    NumericType.INT32,
                    NumericType.INT64,
                    NumericType.UINT8,
                    NumericType.UINT16,
                    NumericType.UINT32,
                    NumericType.UINT64,
                    NumericType.BFLOAT16,
                    NumericType.FLOAT16,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64);

    private static List<NumericType> sources() {
        return Arrays.stream(NumericType.values())
                .filter(type -> type.kind() != Kind.COMPLEX)
                .toList();
    }

    /** Numbers where int64 and uint64 end. */
    private static final double[] LIMITS = {
        0x1p63, -0x1p63, 0x1p64, -0x1p64, Math.nextDown(0x1p64), Math.nextDown(0x1p63), 0x1p65
    };

    /** Each type to each other, at the limits of both, at ties, and at random. */
    @ParameterizedTest
    @EnumSource(Overflow.class)
    void castsAllPairs(Overflow overflow) {
        SplittableRandom random = new SplittableRandom(1);
        for (NumericType from : sources()) {
            long[] bits = new long[3000];
            for (int i = 0; i < bits.length; i++) {
                bits[i] = i < 256 ? i : random.nextLong() >>> random.nextInt(64);
                if (i % 3 == 1) {
                    bits[i] = ~bits[i];
                }
                if (from.kind() == Kind.FLOAT && from.bits() >= 32 && i % 2 == 0) {
                    double tie = (random.nextInt(1 << 19) - (1 << 18)) / 4.0;
                    bits[i] = from.nearest(i / 2 < LIMITS.length ? LIMITS[i / 2] : tie);
                }
            }
            for (NumericType to : RESULTS) {
                Transform cast = Transform.identity().cast(to, overflow);
                long[] results = run(cast, from, new long[] {bits.length}, bits);
                for (int i = 0; i < bits.length; i++) {
                    BigDecimal exact = exact(from, bits[i]);
                    int at = i;
                    String name = from + " to " + to + ", bits " + Long.toHexString(bits[i]);
                    if (to.kind() == Kind.FLOAT) {
                        double value = from.toDouble(bits[i]);
                        assertNear(to, value, results[i], () -> name);
                        if (value == (float) value) { // rounded once
                            assertEquals(to.nearest(value), results[i], () -> name);
                        }
                    } else {
                        assertEquals(
                                whole(to, from.toDouble(bits[i]), exact, overflow),
                                results[at],
                                () -> name);
                    }
                }
            }
        }
    }

    /** {@return the number of an element; null if it is NaN or infinite} */
    private static BigDecimal exact(NumericType type, long bits) {
        if (type == NumericType.UINT64) {
            return new BigDecimal(new BigInteger(Long.toUnsignedString(bits)));
        }
        if (type == NumericType.INT64) {
            return BigDecimal.valueOf(bits);
        }
        double value = type.toDouble(bits);
        return Double.isFinite(value) ? new BigDecimal(value) : null;
    }

    /** {@return the bits of an integer or bool, by arithmetic without limits} */
    private static long whole(NumericType to, double value, BigDecimal exact, Overflow overflow) {
        if (to == NumericType.BOOL) {
            return value == 0 ? 0 : 1;
        }
        boolean isSigned = to.kind() == Kind.SIGNED;
        BigInteger one = BigInteger.ONE;
        BigInteger least = isSigned ? one.shiftLeft(to.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger greatest = one.shiftLeft(to.bits() - (isSigned ? 1 : 0)).subtract(one);
        BigInteger whole;
        if (exact == null) {
            boolean isNan = Double.isNaN(value) || overflow == Overflow.WRAP;
            whole = isNan ? BigInteger.ZERO : value > 0 ? greatest : least;
        } else {
            whole = exact.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
            whole = overflow == Overflow.CLAMP ? whole.max(least).min(greatest) : whole;
        }
        return whole.longValue() & (-1L >>> (Long.SIZE - to.bits()));
    }

    /** Compares two floats by their places in the order of all floats of the type. */
    private static void assertNear(
            NumericType type,
            double expected,
            long bits,
            java.util.function.Supplier<String> name) {
        if (Double.isNaN(expected)) {
            assertTrue(Double.isNaN(type.toDouble(bits)), name);
            return;
        }
        long nearest = type.nearest(expected);
        long distance = Math.abs(place(type, nearest) - place(type, bits));
        assertTrue(
                distance <= 1,
                () -> name.get() + ": " + expected + " became " + type.toDouble(bits));
    }

    private static long place(NumericType type, long bits) {
        long sign = 1L << (type.bits() - 1);
        return (bits & sign) == 0 ? bits : sign - bits;
    }

    /** {@return the bits of the results} */
    abstract long[] run(Transform transform, NumericType type, long[] shape, long... bits);

    static void set(NumericType type, MemorySegment segment, long index, long bits) {
        switch (type.byteSize()) {
            case 1 -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) bits);
            case 2 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) bits);
            case 4 -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) bits);
            default -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, bits);
        }
    }

    static long get(NumericType type, MemorySegment segment, long index) {
        return switch (type.byteSize()) {
            case 1 -> segment.get(ValueLayout.JAVA_BYTE, index) & 0xffL;
            case 2 -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) & 0xffffL;
            case 4 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index) & 0xffff_ffffL;
            default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
        };
    }

    /** Transforms at random, of samples of up to 4 dimensions, also of rows beyond a block. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#many")
    void computesWhatTheSlowTwinDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 30; i++) {
            List<NumericType> types = sources();
            NumericType type =
                    i % 2 == 0 ? types.get(random.nextInt(types.size())) : NumericType.FLOAT32;
            long[] shape = random.longs(random.nextInt(5), 1, 13).toArray();
            if (random.nextInt(4) == 0 && shape.length > 0) {
                shape[shape.length - 1] =
                        12 * random.nextLong(1, 300) / (shape.length > 2 ? 12 : 1);
            }
            Transform transform = randomTransform(random, shape);
            long[] bits = new long[ReferenceTransform.count(shape)];
            double[] values = new double[bits.length];
            for (int k = 0; k < bits.length; k++) {
                bits[k] = randomBits(random, type);
                values[k] = type.toDouble(bits[k]);
            }
            ReferenceTransform expected = new ReferenceTransform(shape, values).after(transform);
            assertArrayEquals(expected.shape(), transform.shapeAfter(shape));
            long[] results = run(transform, type, shape, bits);
            NumericType to = transform.typeAfter(type);
            for (int k = 0; k < results.length; k++) {
                int at = k;
                double value = expected.values()[k];
                assertResult(
                        to,
                        value,
                        results[k],
                        () ->
                                "%s of %s%s at %d"
                                        .formatted(transform, type, Arrays.toString(shape), at));
            }
        }
    }

    private static void assertResult(
            NumericType to, double value, long bits, java.util.function.Supplier<String> name) {
        if (to.kind() == Kind.FLOAT) {
            assertNear(to, value, bits, name);
        } else {
            BigDecimal exact = Double.isFinite(value) ? new BigDecimal(value) : null;
            assertEquals(whole(to, value, exact, Overflow.CLAMP), bits, name);
        }
    }

    private static long randomBits(SplittableRandom random, NumericType type) {
        if (type.kind() != Kind.FLOAT || type.bits() < 16) {
            return random.nextLong() & (-1L >>> (Long.SIZE - Math.min(32, type.bits())));
        }
        return switch (random.nextInt(12)) {
            case 0 -> type.nearest(-5);
            case 1 -> type.nearest(Double.POSITIVE_INFINITY);
            default -> type.nearest(random.nextDouble(-6, 300));
        };
    }

    private static Transform randomTransform(SplittableRandom random, long[] shape) {
        Transform transform = Transform.identity();
        for (int i = random.nextInt(7); i > 0; i--) {
            long[] now = transform.shapeAfter(shape);
            transform =
                    switch (random.nextInt(10)) {
                        case 0 -> transform.missing(-5);
                        case 1 -> transform.scale(random.nextDouble(-2, 2), random.nextDouble());
                        case 2 -> transform.normalize(random.nextDouble(90), 7);
                        case 3 -> now.length == 0 ? transform : channels(random, transform, now);
                        case 4 -> transform.clip(random.nextDouble(9), Double.POSITIVE_INFINITY);
                        case 5 -> random.nextBoolean() ? transform.log1p() : transform.isMissing();
                        case 6 -> transform.mean(divisors(random, now));
                        case 7 -> transform.stride(random.ints(now.length, 1, 4).toArray());
                        case 8 -> transform.flip(some(random, now.length));
                        default -> transform.permute(order(random, now.length));
                    };
        }
        return random.nextInt(3) == 0 && !transform.steps().isEmpty()
                ? transform.cast(NumericType.FLOAT32)
                : transform.cast(RESULTS.get(random.nextInt(RESULTS.size())));
    }

    private static Transform channels(SplittableRandom random, Transform before, long[] shape) {
        int axis = random.nextInt(shape.length);
        double[] means = random.doubles(shape[axis], 0, 50).toArray();
        return before.normalize(axis, means, random.doubles(shape[axis], 1, 9).toArray());
    }

    private static int[] divisors(SplittableRandom random, long[] shape) {
        return Arrays.stream(shape)
                .mapToInt(length -> {
                    int factor = 1 + random.nextInt(4);
                    return length % factor == 0
                            ? factor
                            : random.nextInt(5) == 0 ? (int) length : 1;
                })
                .toArray();
    }

    private static int[] some(SplittableRandom random, int rank) {
        return IntStream.range(0, rank).filter(_ -> random.nextBoolean()).toArray();
    }

    private static int[] order(SplittableRandom random, int rank) {
        List<Integer> axes = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Collections.shuffle(axes, new java.util.Random(random.nextLong()));
        return axes.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The fast logarithm, near 0, near -1, at the limits, and at random. */
    @Test
    void takesLogarithms() {
        SplittableRandom random = new SplittableRandom(1);
        long[] bits = new long[200_000];
        for (int i = 0; i < bits.length; i++) {
            float value =
                    switch (i % 4) {
                        case 0 -> (float) random.nextDouble(-1, 1);
                        case 1 ->
                                Math.scalb((float) random.nextDouble(-1, 1), -random.nextInt(149));
                        case 2 -> Math.scalb((float) random.nextDouble(1, 2), random.nextInt(128));
                        default -> Math.nextUp(-1f) + Math.scalb(random.nextInt(99), -24);
                    };
            bits[i] = Integer.toUnsignedLong(Float.floatToRawIntBits(value));
        }
        Transform log = Transform.identity().log1p();
        long[] results = run(log, NumericType.FLOAT32, new long[] {bits.length}, bits);
        for (int i = 0; i < bits.length; i++) {
            double x = NumericType.FLOAT32.toDouble(bits[i]);
            assertNear(NumericType.FLOAT32, StrictMath.log1p(x), results[i], () -> "log1p " + x);
        }
    }
}
