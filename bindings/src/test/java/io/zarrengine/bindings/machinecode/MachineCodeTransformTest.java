package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.Code;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.NumberType;
import io.zarrengine.bindings.machinecode.MachineCodeTransform.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares transforms by machine code with a loop over each number, bit by bit. Sources and targets
 * are next to inaccessible pages, at any alignment, and only the rows that are asked for may be
 * written.
 */
final class MachineCodeTransformTest {
    private static final int BYTES_MAX = 1 << 18; // 5 * 5 * 139 numbers, each distance doubled
    private static final byte UNTOUCHED = 0x5A;
    private static final List<Code> CODES = List.of(Code.values());
    private static final List<NumberType> TYPES = List.of(NumberType.values());
    private static final List<NumberType> RESULTS =
            List.of(
                    NumberType.FLOAT16,
                    NumberType.BFLOAT16,
                    NumberType.FLOAT32,
                    NumberType.FLOAT64);

    private final Arena arena = Arena.ofConfined();
    private GuardedPages sources;
    private GuardedPages targets;

    @BeforeEach
    void open() throws ErrnoException {
        ProcessorFlags.assumeThere(MachineCodeTransform.denial());
        sources = new GuardedPages(BYTES_MAX, arena);
        targets = new GuardedPages(BYTES_MAX, arena);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    static LongStream seeds() {
        return MachineCodeZstdTest.seeds();
    }

    /** Otherwise the other tests might be skipped by mistake. */
    @Test
    void isThereOnProcessorsThatHaveWhatItNeeds() {
        ProcessorFlags.assertDecide(MachineCodeTransform.denial(), "avx2", "f16c");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void computesEachNumber(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 400; round++) {
            NumberType type = TYPES.get(round % TYPES.size());
            NumberType result = RESULTS.get(random.nextInt(RESULTS.size()));
            long[] lengths = random.longs(random.nextInt(1, 4), 1, 6).toArray();
            lengths[lengths.length - 1] = random.nextLong(1, random.nextBoolean() ? 140 : 20);
            assertComputes(random, type, result, lengths);
        }
    }

    private void assertComputes(
            SplittableRandom random, NumberType type, NumberType result, long... lengths) {
        long[] strides = new long[lengths.length];
        long distance = 1;
        long base = 0; // index of position 0
        long elements = 1;
        for (int d = lengths.length - 1; d >= 0; d--) {
            distance *= random.nextInt(3) == 0 ? 2 : 1;
            strides[d] = random.nextInt(4) == 0 ? -distance : distance;
            long farthest = (lengths[d] - 1) * distance;
            base += strides[d] < 0 ? farthest : 0;
            elements += farthest;
            distance *= lengths[d];
        }
        List<Operation> operations =
                Stream.generate(() -> operation(random, lengths)).limit(random.nextInt(5)).toList();
        MemorySegment source = sources.either(random, elements * bytes(type));
        for (long i = 0; i < elements; i++) {
            fill(random, type, source, i);
        }
        int last = lengths.length - 1;
        int rows = (int) Arrays.stream(lengths, 0, last).reduce(1, (a, b) -> a * b);
        int begin = random.nextInt(rows);
        int end = random.nextInt(begin, rows + 1);
        int skipped = random.nextInt(70);
        int targetBytes = (int) (skipped + rows * lengths[last] * bytes(result));
        MemorySegment target = targets.either(random, targetBytes).fill(UNTOUCHED);
        byte[] before = target.toArray(JAVA_BYTE);
        MachineCodeTransform code =
                new MachineCodeTransform(type, result, lengths, strides, operations);
        code.run(source, base * bytes(type), target, skipped, begin, end, random.nextBoolean());
        MemorySegment expected = MemorySegment.ofArray(before);
        for (long i = begin * lengths[last]; i < end * lengths[last]; i++) {
            long[] position = position(i, lengths);
            long index = base;
            for (int d = 0; d <= last; d++) {
                index += position[d] * strides[d];
            }
            double x = get(type, source, index * bytes(type));
            for (Operation one : operations) {
                x = computed(one, x, position);
            }
            long at = skipped + i * bytes(result);
            set(result, expected, at, x);
            if (Double.isNaN(x) && Double.isNaN(get(result, target, at))) { // any NaN
                MemorySegment.copy(target, at, expected, at, bytes(result));
            }
        }
        String name =
                "%s to %s, %s, strides %s, %s"
                        .formatted(
                                type,
                                result,
                                Arrays.toString(lengths),
                                Arrays.toString(strides),
                                operations.stream().map(Operation::code).toList());
        assertEquals(-1, expected.mismatch(target), name);
    }

    private static Operation operation(SplittableRandom random, long... lengths) {
        Code code = CODES.get(random.nextInt(CODES.size()));
        if (code == Code.CLIP) {
            double[] lows = {-0.0, 0.0, -3, Double.NEGATIVE_INFINITY};
            double[] highs = {0.0, 7, Double.POSITIVE_INFINITY};
            return operation(code, lows[random.nextInt(4)], highs[random.nextInt(3)]);
        }
        int axis = random.nextInt(lengths.length);
        boolean isEach =
                (code == Code.DIVIDE || code == Code.MULTIPLY || code == Code.SCALE)
                        && (axis < lengths.length - 1 || code == Code.DIVIDE);
        if (!isEach) {
            return operation(code, code == Code.MISSING ? 0 : random.nextDouble(-9, 9), 3);
        }
        double[] first = random.doubles(lengths[axis], -9, 9).toArray();
        return new Operation(code, axis, first, random.doubles(lengths[axis], 1, 9).toArray());
    }

    private static Operation operation(Code code, double first, double second) {
        return new Operation(code, 0, new double[] {first}, new double[] {second});
    }

    private static double computed(Operation one, double x, long... position) {
        int channel = one.first().length == 1 ? 0 : (int) position[one.axis()];
        double first = one.first()[channel];
        double second = one.second()[channel];
        return switch (one.code()) {
            case MISSING -> x == first ? Double.NaN : x;
            case SCALE -> x * first + second;
            case DIVIDE -> (x - first) / second;
            case MULTIPLY -> (x - first) * second;
            case CLIP -> Math.min(Math.max(x, first), second);
            case IS_MISSING -> Double.isNaN(x) ? 1 : 0;
        };
    }

    private static long[] position(long index, long... lengths) {
        long[] position = new long[lengths.length];
        long rest = index;
        for (int d = lengths.length - 1; d >= 0; d--) {
            position[d] = rest % lengths[d];
            rest /= lengths[d];
        }
        return position;
    }

    private static int bytes(NumberType type) {
        return switch (type) {
            case INT8, UINT8 -> 1;
            case INT16, UINT16, FLOAT16, BFLOAT16 -> 2;
            case INT32, UINT32, FLOAT32 -> 4;
            case FLOAT64 -> 8;
        };
    }

    /** Sets an element: any bits, or a number near 0. */
    private static void fill(
            SplittableRandom random, NumberType type, MemorySegment to, long index) {
        boolean isAny = random.nextInt(4) == 0;
        int bits = isAny ? random.nextInt() : random.nextInt(-9, 10);
        switch (type) {
            case INT8, UINT8 -> to.set(JAVA_BYTE, index, (byte) bits);
            case INT16, UINT16 -> to.set(JAVA_SHORT_UNALIGNED, 2 * index, (short) bits);
            case INT32, UINT32 -> to.set(JAVA_INT_UNALIGNED, 4 * index, bits);
            default -> {
                double number = random.nextInt(5) == 0 ? -0.0 : random.nextDouble(-1e6, 1e6);
                double special = random.nextBoolean() ? Double.NaN : Double.POSITIVE_INFINITY;
                set(type, to, index * bytes(type), isAny ? special : number);
            }
        }
    }

    private static double get(NumberType type, MemorySegment from, long at) {
        return switch (type) {
            case INT8 -> from.get(JAVA_BYTE, at);
            case UINT8 -> from.get(JAVA_BYTE, at) & 0xff;
            case INT16 -> from.get(JAVA_SHORT_UNALIGNED, at);
            case UINT16 -> from.get(JAVA_SHORT_UNALIGNED, at) & 0xffff;
            case INT32 -> from.get(JAVA_INT_UNALIGNED, at);
            case UINT32 -> from.get(JAVA_INT_UNALIGNED, at) & 0xffff_ffffL;
            case FLOAT16 -> Float.float16ToFloat(from.get(JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> Float.intBitsToFloat(from.get(JAVA_SHORT_UNALIGNED, at) << 16);
            case FLOAT32 -> from.get(JAVA_FLOAT_UNALIGNED, at);
            case FLOAT64 -> from.get(JAVA_DOUBLE_UNALIGNED, at);
        };
    }

    /** Sets a float, rounded to the nearest one, ties to even. */
    private static void set(NumberType type, MemorySegment to, long at, double value) {
        float rounded = (float) value;
        int bits = Float.floatToIntBits(rounded);
        int nearest = Float.isNaN(rounded) ? bits : bits + 0x7fff + (bits >>> 16 & 1);
        switch (type) {
            case FLOAT16 -> to.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(rounded));
            case BFLOAT16 -> to.set(JAVA_SHORT_UNALIGNED, at, (short) (nearest >>> 16));
            case FLOAT32 -> to.set(JAVA_FLOAT_UNALIGNED, at, rounded);
            case FLOAT64 -> to.set(JAVA_DOUBLE_UNALIGNED, at, value);
            default -> throw new AssertionError(type);
        }
    }

    /** Fails if the code may read or write beside its segments, or gets what it cannot compute. */
    @Test
    void refusesWhatIsNotThere() {
        MemorySegment source = arena.allocate(20);
        MemorySegment target = arena.allocate(40);
        long[] shape = {2, 5};
        MachineCodeTransform code =
                new MachineCodeTransform(
                        NumberType.INT16, NumberType.FLOAT32, shape, new long[] {5, 1}, List.of());
        code.run(source, 0, target, 0, 0, 2, false);
        Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
        assertThrows(outside, () -> code.run(source, 1, target, 0, 0, 2, false));
        assertThrows(outside, () -> code.run(source, -1, target, 0, 0, 2, false));
        assertThrows(outside, () -> code.run(source, 0, target, 1, 0, 2, false));
        assertThrows(outside, () -> code.run(source, 0, target, -1, 0, 2, false));
        assertThrows(outside, () -> code.run(source, 0, target, 0, 0, 3, false));
        Class<IllegalArgumentException> refused = IllegalArgumentException.class;
        MemorySegment heap = MemorySegment.ofArray(new byte[40]);
        assertThrows(refused, () -> code.run(heap, 0, target, 0, 0, 2, false));
        assertThrows(refused, () -> code.run(source, 0, heap, 0, 0, 2, false));
        assertThrows(refused, () -> code.run(source, 0, target.asReadOnly(), 0, 0, 2, false));
        List<Operation> along = List.of(new Operation(Code.SCALE, 1, new double[5], new double[5]));
        assertThrows(
                refused,
                () ->
                        new MachineCodeTransform(
                                NumberType.INT16,
                                NumberType.FLOAT32,
                                shape,
                                new long[] {5, 1},
                                along));
        assertThrows(
                refused,
                () ->
                        new MachineCodeTransform(
                                NumberType.INT16,
                                NumberType.INT16,
                                shape,
                                new long[] {5, 1},
                                List.of()));
    }
}
