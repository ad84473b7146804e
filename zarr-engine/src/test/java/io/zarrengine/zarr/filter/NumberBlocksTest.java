package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers that come block by block are those that come one by one, bit for bit. */
final class NumberBlocksTest {
    private static final byte GUARD = 0x5a;
    private static final int FILTERS = 300;
    private static final List<Integer> LENGTHS = List.of(0, 1, 2, 15, 1023, 1024, 1025, 2500);

    private static final List<NumericType> TYPES =
            List.of(
                    NumericType.INT8,
                    NumericType.INT16,
                    NumericType.INT32,
                    NumericType.INT64,
                    NumericType.UINT8,
                    NumericType.UINT16,
                    NumericType.UINT32,
                    NumericType.UINT64,
                    NumericType.FLOAT16,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void blocksAreWhatOneByOneIs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < FILTERS; i++) {
            int elements = pick(random, LENGTHS);
            NumericType stored = pick(random, TYPES);
            NumericType wanted = pick(random, TYPES);
            NumberFilter filter = filter(random, stored, wanted, elements);
            MemorySegment encoded = numbers(random, filter.encodedBytes(), stored);
            int bytes = elements * (filter instanceof ScaleOffset ? stored : wanted).byteSize();
            assertEquals(
                    decoded(filter::decodeOneByOne, encoded, bytes),
                    decoded(filter::decode, encoded, bytes),
                    filter::toString);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void sumsOfBlocksAreThoseOfOneByOne(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < FILTERS; i++) {
            int elements = pick(random, LENGTHS);
            NumericType stored = pick(random, TYPES);
            NumericType wanted = pick(random, TYPES);
            Delta delta = new Delta("delta", stored, wanted, elements);
            MemorySegment encoded = numbers(random, delta.encodedBytes(), stored);
            int bytes = elements * wanted.byteSize();
            assertEquals(
                    decoded(
                            (from, to) -> sum(delta::decodeOneByOne, wanted, from, to),
                            encoded,
                            bytes),
                    decoded((from, to) -> sum(delta::decode, wanted, from, to), encoded, bytes),
                    delta::toString);
        }
    }

    /** Which of two NaNs a sum is depends on the order that the compiler adds them in. */
    private static void sum(
            Decode decode, NumericType type, MemorySegment encoded, MemorySegment decoded)
            throws CodecException {
        decode.decode(encoded, decoded);
        for (long i = 0; i < decoded.byteSize() / type.byteSize(); i++) {
            boolean isNan = Double.isNaN(type.toDouble(Numbers.bits(type, decoded, i)));
            if (isNan) {
                Numbers.setBits(type, decoded, i, type.nearest(Double.NaN));
            }
        }
    }

    private static NumberFilter filter(
            SplittableRandom random, NumericType stored, NumericType wanted, int elements) {
        double scale = random.nextBoolean() ? random.nextDouble(-100, 100) : 0.01;
        double offset = random.nextBoolean() ? random.nextDouble(-1e6, 1e6) : 273.15;
        return switch (random.nextInt(4)) {
            case 0 -> new Cast("astype", stored, wanted, elements);
            case 1 -> new FixedScaleOffset("fixed", stored, wanted, scale, offset, elements);
            case 2 ->
                    new CastValue(
                            stored,
                            wanted,
                            pick(random, List.of(Rounding.values())),
                            pick(random, List.of(CastValue.OutOfRange.values())),
                            Map.of(),
                            elements);
            default -> new ScaleOffset(stored, bits(stored, scale), bits(stored, offset), elements);
        };
    }

    private static long bits(NumericType type, double value) {
        return Numbers.isInteger(type) ? Math.max(1, (long) value & 0x7f) : type.nearest(value);
    }

    private static <T> T pick(SplittableRandom random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Random bits at an odd address; some of them special numbers. */
    private static MemorySegment numbers(SplittableRandom random, long bytes, NumericType type) {
        byte[] content = new byte[(int) bytes + 1];
        random.nextBytes(content);
        MemorySegment numbers = MemorySegment.ofArray(content).asSlice(1);
        List<Double> special =
                List.of(0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, -1e300, 1e-320, 1.5);
        for (long i = 0; i < bytes / type.byteSize(); i += 1 + random.nextInt(9)) {
            double value = pick(random, special);
            long number = Numbers.isInteger(type) ? (long) value : type.nearest(value);
            Numbers.setBits(type, numbers, i, number);
        }
        return numbers;
    }

    private interface Decode {
        void decode(MemorySegment encoded, MemorySegment decoded) throws CodecException;
    }

    /** The bytes between guards; or why there are none. */
    private static String decoded(Decode decode, MemorySegment encoded, int bytes) {
        byte[] target = new byte[bytes + 16];
        Arrays.fill(target, GUARD);
        try {
            decode.decode(encoded, MemorySegment.ofArray(target).asSlice(7, bytes));
        } catch (CodecException e) {
            return e.getMessage();
        }
        byte[] guards = new byte[9];
        Arrays.fill(guards, GUARD);
        assertArrayEquals(guards, Arrays.copyOfRange(target, bytes + 7, bytes + 16));
        return Arrays.toString(target);
    }

    /** Also where nothing is cast: a GPU does so, too. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aCastMakesASignallingNanQuiet(NumericType type) {
        long signalling = type == NumericType.FLOAT32 ? 0x7f80_0001L : 0x7ff0_0000_0000_0001L;
        var cast =
                new CastValue(
                        type,
                        NumericType.FLOAT32,
                        Rounding.NEAREST_EVEN,
                        CastValue.OutOfRange.CLAMP,
                        Map.of(),
                        1);
        MemorySegment encoded = MemorySegment.ofArray(new byte[type.byteSize()]);
        Numbers.setBits(type, encoded, 0, signalling);
        assertEquals(
                decoded(cast::decodeOneByOne, encoded, Float.BYTES),
                decoded(cast::decode, encoded, Float.BYTES));
    }

    /** What weather is stored as comes by blocks; else nothing here would be compared. */
    @Test
    void packedFloatsComeByBlocks() {
        for (NumericType stored : List.of(NumericType.INT16, NumericType.UINT8)) {
            NumberFilter filter =
                    new FixedScaleOffset("fixed", stored, NumericType.FLOAT32, 100, 273.15, 10);
            MemorySegment encoded = MemorySegment.ofArray(new byte[(int) filter.encodedBytes()]);
            MemorySegment decoded = MemorySegment.ofArray(new byte[40]);
            assertTrue(Float64Steps.decode(filter.steps(), encoded, decoded, 10));
        }
    }

    @Test
    void castsToIntegersComeByBlocks() {
        for (NumericType stored : List.of(NumericType.UINT8, NumericType.FLOAT32)) {
            NumberFilter filter = new Cast("astype", stored, NumericType.INT32, 10);
            MemorySegment encoded = MemorySegment.ofArray(new byte[(int) filter.encodedBytes()]);
            MemorySegment decoded = MemorySegment.ofArray(new byte[40]);
            assertTrue(IntegerSteps.decode(filter.steps(), encoded, decoded, 10));
        }
    }
}
