package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Fused filters give the same numbers as the filters one by one, bit for bit. */
final class FusedFiltersTest {
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

    private static final List<NumericType> FLOATS =
            List.of(NumericType.FLOAT32, NumericType.FLOAT64);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void blocksAreWhatOneByOneIs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < FILTERS; i++) {
            int elements = pick(random, LENGTHS);
            NumericType stored = pick(random, TYPES);
            NumericType wanted = pick(random, TYPES);
            ArrayFilter filter = filter(random, stored, wanted, elements);
            MemorySegment encoded = numbers(random, filter.encodedBytes(), stored);
            int bytes = elements * (filter instanceof ScaleOffset ? stored : wanted).byteSize();
            assertEquals(
                    decoded(decode(filter), encoded, bytes),
                    decoded(decode(fused(List.of(filter))), encoded, bytes),
                    filter::toString);
        }
    }

    private static ArrayFilter fused(List<ArrayFilter> filters) {
        return FusedFilters.fuse(filters).getFirst();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void fewerPassesAreWhatAPassForEachFilterIs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int fused = 0;
        for (int i = 0; i < FILTERS; i++) {
            int elements = pick(random, LENGTHS);
            NumericType stored = pick(random, TYPES);
            NumericType type = stored;
            List<ArrayFilter> filters = new ArrayList<>(); // in the order of encoding
            int length = 2 + random.nextInt(3);
            while (filters.size() < length) {
                NumericType wanted = pick(random, random.nextBoolean() ? FLOATS : TYPES);
                ArrayFilter filter = filter(random, type, wanted, elements);
                filters.addFirst(filter);
                type = filter instanceof ScaleOffset ? type : wanted;
            }
            MemorySegment encoded = numbers(random, filters.getLast().encodedBytes(), stored);
            int bytes = elements * type.byteSize();
            List<ArrayFilter> fewer = FusedFilters.fuse(filters);
            assertEquals(
                    decoded((from, to) -> decode(filters, from, to), encoded, bytes),
                    decoded((from, to) -> decode(fewer, from, to), encoded, bytes),
                    filters::toString);
            fused += length - fewer.size();
        }
        assertTrue(fused > FILTERS / 10, "filters that were fused: " + fused);
    }

    private static void decode(
            List<ArrayFilter> filters, MemorySegment encoded, MemorySegment decoded)
            throws CodecException {
        BlockArrays arrays = new BlockArrays();
        MemorySegment from = encoded;
        for (int i = filters.size() - 1; i > 0; i--) {
            long bytes = filters.get(i - 1).encodedBytes();
            MemorySegment to = MemorySegment.ofArray(new byte[(int) bytes]);
            filters.get(i).decode(from, to, arrays);
            from = to;
        }
        filters.getFirst().decode(from, decoded, arrays);
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
                    decoded((from, to) -> sum(decode(delta), wanted, from, to), encoded, bytes),
                    delta::toString);
        }
    }

    /** The compiler's order of an addition decides which of two NaNs is the sum. */
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

    private static ArrayFilter filter(
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

    /** Returns random bits at an odd address, with some special numbers. */
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

    private static Decode decode(ArrayFilter filter) {
        return (encoded, decoded) -> filter.decode(encoded, decoded, new BlockArrays());
    }

    private interface Decode {
        void decode(MemorySegment encoded, MemorySegment decoded) throws CodecException;
    }

    /** Returns the bytes between guards, or the error. */
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

    /** Also without a cast, because a GPU does so too. */
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
                decoded(decode(cast), encoded, Float.BYTES),
                decoded(decode(fused(List.of(cast))), encoded, Float.BYTES));
    }

    /** The usual packing of weather data takes one pass, by blocks. */
    @Test
    void decodesPackedFloatsInOnePass() {
        ArrayFilter scale =
                new ScaleOffset(NumericType.FLOAT32, bits(NumericType.FLOAT32, 0.01), 0, 10);
        for (NumericType stored : List.of(NumericType.INT16, NumericType.UINT8)) {
            ArrayFilter cast =
                    new CastValue(
                            stored,
                            NumericType.FLOAT32,
                            Rounding.NEAREST_EVEN,
                            CastValue.OutOfRange.REFUSE,
                            Map.of(),
                            10);
            List<ArrayFilter> fused = FusedFilters.fuse(List.of(scale, cast));
            assertEquals(1, fused.size());
            assertInstanceOf(Float32Steps.class, ((FusedFilters) fused.getFirst()).loop());
        }
    }

    @Test
    void castsToIntegersByBlocks() {
        for (NumericType stored : List.of(NumericType.UINT8, NumericType.FLOAT32)) {
            ArrayFilter cast = new Cast("astype", stored, NumericType.INT32, 10);
            assertInstanceOf(IntegerSteps.class, ((FusedFilters) fused(List.of(cast))).loop());
        }
    }

    /** Other filters stay as they are, and in their places. */
    @Test
    void doesNotFuseAcrossOtherFilters() {
        ArrayFilter cast = new Cast("astype", NumericType.INT16, NumericType.INT32, 10);
        ArrayFilter delta = new Delta("delta", NumericType.INT32, NumericType.INT32, 10);
        ArrayFilter widened = new Cast("astype", NumericType.INT32, NumericType.INT64, 10);
        List<ArrayFilter> fused = FusedFilters.fuse(List.of(widened, delta, cast));
        assertEquals(
                List.of("astype", "delta", "astype"),
                fused.stream().map(ArrayFilter::name).toList());
        assertEquals(
                List.of(40L, 40L, 20L), fused.stream().map(ArrayFilter::encodedBytes).toList());
    }
}
