package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The parameter of a kernel that computes a transform of samples: {@code Transform} in {@code
 * transform.cuh}. Threads: one at a time.
 */
public final class TransformParameters {
    /** The maximum number of dimensions of a result. */
    public static final int RANK_MAX = 6;

    /** The maximum number of levels; each but the first one takes means. */
    public static final int LEVELS_MAX = 3;

    /** The maximum number of steps of all levels. */
    public static final int STEPS_MAX = 24;

    /** The maximum number of numbers in the tables of all steps. */
    public static final int TABLES_MAX = 1024;

    /** The maximum number of elements of a mean: one thread adds them, in some 0.2 s. */
    private static final long BOX_MAX = 1 << 20;

    /** The numbers in a {@link #table} for the elements of a type of one byte. */
    public static final int BYTE_TABLE = 256;

    /** A type of elements, with its number there. */
    public enum Type {
        /** Signed integer of 8 bits. */
        INT8(Conversion.NumberType.INT8),
        /** Signed integer of 16 bits. */
        INT16(Conversion.NumberType.INT16),
        /** Signed integer of 32 bits. */
        INT32(Conversion.NumberType.INT32),
        /** Signed integer of 64 bits. */
        INT64(Conversion.NumberType.INT64),
        /** Unsigned integer of 8 bits. */
        UINT8(Conversion.NumberType.UINT8),
        /** Unsigned integer of 16 bits. */
        UINT16(Conversion.NumberType.UINT16),
        /** Unsigned integer of 32 bits. */
        UINT32(Conversion.NumberType.UINT32),
        /** Unsigned integer of 64 bits. */
        UINT64(Conversion.NumberType.UINT64),
        /** IEEE 754 binary32. */
        FLOAT32(Conversion.NumberType.FLOAT32),
        /** IEEE 754 binary64. */
        FLOAT64(Conversion.NumberType.FLOAT64),
        /** IEEE 754 binary16. */
        FLOAT16(10, 2),
        /** The upper half of binary32. */
        BFLOAT16(11, 2),
        /** 1 unless the number is 0. Only of results. */
        BOOL(12, 1),
        /** One byte, whose number is in the first {@link #table}. Only of sources. */
        TABLED(13, 1);

        private final int number;
        private final int bytes;

        Type(Conversion.NumberType type) {
            this(type.code(), type.bytes());
        }

        Type(int number, int bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    /** The function of {@code x} that a step computes, with its number in the kernel. */
    public enum Code {
        /** NaN if {@code x} is the first number. */
        MISSING(0),
        /** {@code x} times the first number, plus the second one. */
        SCALE(1),
        /** {@code x} minus the first number, divided by the second one. */
        NORMALIZE(2),
        /** {@code x} minus the first number, times the second one. */
        NORMALIZE_BY_INVERSE(3),
        /** Not less than the first number, not more than the second one. */
        CLIP(4),
        /** The natural logarithm of {@code 1 + x}. */
        LOG1P(5),
        /** 1 if {@code x} is NaN, otherwise 0. */
        IS_MISSING(6);

        private final int number;

        Code(int number) {
            this.number = number;
        }
    }

    /**
     * A place in the tables.
     *
     * @param begin index of its first number
     */
    public record Table(int begin) {}

    private static final int GROUP = 4;
    private static final long HEADER = 8;
    private static final long ELEMENTS = HEADER;
    private static final long SOURCE_ELEMENTS = HEADER + 8;
    private static final long TARGET_ELEMENTS = HEADER + 16;
    private static final long SHAPE = HEADER + 24;
    private static final long LEVELS = SHAPE + 8 * RANK_MAX;

    private static final long STARTS = 0;
    private static final long STRIDES = 8 * RANK_MAX;
    private static final long FACTORS = 16 * RANK_MAX;
    private static final long ROWS = FACTORS + 4 * RANK_MAX;
    private static final long LEVEL_BYTES = ROWS + 24;

    private static final long STEPS = LEVELS + LEVELS_MAX * LEVEL_BYTES;
    private static final long STEP_BYTES = 32;
    private static final long TABLES = STEPS + STEPS_MAX * STEP_BYTES;
    static final long BYTES = TABLES + 8L * TABLES_MAX;

    private final MemorySegment bytes = MemorySegment.ofArray(new long[(int) BYTES / Long.BYTES]);
    private final long elements;
    private final Type source;
    private final Type result;
    private final boolean isInGroups; // if there are no means
    private long sourceElements;
    private long targetElements;
    private int levels;
    private int steps;
    private int numbers; // in the tables
    private long elementsOfBoxes = 1; // of all levels

    /**
     * Begins to describe a transform.
     *
     * @param source type of the elements of a sample
     * @param result type of the results
     * @param shape of the result of a sample
     * @param wraps whether integers beyond the range lose their upper bits; otherwise they are
     *     clamped
     * @param isWhole whether integers become integers without going through float64
     * @throws IllegalArgumentException if it has too many dimensions
     */
    public TransformParameters(
            Type source, Type result, long[] shape, boolean wraps, boolean isWhole) {
        require("dimensions", shape.length, RANK_MAX);
        this.source = source;
        this.result = result;
        this.isInGroups = shape[shape.length - 1] % GROUP == 0;
        this.elements = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        bytes.set(JAVA_BYTE, 1, (byte) shape.length);
        bytes.set(JAVA_BYTE, 2, (byte) source.number);
        bytes.set(JAVA_BYTE, 3, (byte) result.number);
        bytes.set(JAVA_BYTE, 4, (byte) (wraps ? 1 : 0));
        bytes.set(JAVA_BYTE, 5, (byte) (isWhole ? 1 : 0));
        bytes.set(JAVA_LONG, ELEMENTS, elements);
        setLongs(SHAPE, shape);
    }

    private static void require(String what, long number, long most) {
        if (number > most) {
            throw new IllegalArgumentException(
                    "a transform on a GPU has at most %d %s, not %d".formatted(most, what, number));
        }
    }

    private void setLongs(long at, long... values) {
        MemorySegment.copy(values, 0, bytes, JAVA_LONG, at, values.length);
    }

    /**
     * Sets where samples and results lie.
     *
     * @param betweenSources elements from a sample to the next
     * @param betweenTargets elements from a result to the next
     */
    public void setDistances(long betweenSources, long betweenTargets) {
        sourceElements = betweenSources;
        targetElements = betweenTargets;
        bytes.set(JAVA_LONG, SOURCE_ELEMENTS, betweenSources);
        bytes.set(JAVA_LONG, TARGET_ELEMENTS, betweenTargets);
    }

    /**
     * Adds a level, whose steps are added next.
     *
     * @param starts what position 0 shows, for each dimension
     * @param strides distance between neighbours, for each dimension
     * @param factors lengths of the boxes whose means it shows; empty in the first level
     * @throws IllegalArgumentException if there are too many levels
     */
    public void addLevel(long[] starts, long[] strides, int[] factors) {
        require("means", levels, LEVELS_MAX - 1);
        long at = LEVELS + levels * LEVEL_BYTES;
        setLongs(at + STARTS, starts);
        setLongs(at + STRIDES, strides);
        MemorySegment.copy(factors, 0, bytes, JAVA_INT, at + FACTORS, factors.length);
        long all = Arrays.stream(factors).asLongStream().reduce(1, Math::multiplyExact);
        elementsOfBoxes = Math.multiplyExact(elementsOfBoxes, all);
        require("elements for each mean", elementsOfBoxes, BOX_MAX);
        int columns = factors.length == 0 ? 1 : factors[factors.length - 1];
        bytes.set(JAVA_INT, at + ROWS, Math.toIntExact(all / columns));
        bytes.set(JAVA_INT, at + ROWS + 4, columns);
        bytes.set(JAVA_DOUBLE, at + ROWS + 8, (double) all);
        bytes.set(JAVA_INT, at + ROWS + 16, steps);
        bytes.set(JAVA_INT, at + ROWS + 20, steps);
        levels++;
        bytes.set(JAVA_BYTE, 0, (byte) levels);
        bytes.set(JAVA_BYTE, 6, (byte) together());
    }

    /**
     * {@return the place of numbers that are added to the tables}
     *
     * @param values the numbers; of a source type {@link Type#TABLED} those of all bytes, before
     *     any others
     * @throws IllegalArgumentException if there are too many
     */
    public Table table(double... values) {
        require("numbers of channels", numbers + values.length, TABLES_MAX);
        MemorySegment.copy(values, 0, bytes, JAVA_DOUBLE, TABLES + 8L * numbers, values.length);
        Table place = new Table(numbers);
        numbers += values.length;
        return place;
    }

    /**
     * Adds a step of the last level.
     *
     * @param code what it computes
     * @param first its first number
     * @param second its second number
     * @throws IllegalArgumentException if there are too many steps
     */
    public void addStep(Code code, double first, double second) {
        long at = newStep(code);
        bytes.set(JAVA_INT, at + 4, 1);
        bytes.set(JAVA_DOUBLE, at + 16, first);
        bytes.set(JAVA_DOUBLE, at + 24, second);
    }

    /**
     * Adds a step of the last level that has numbers for each channel.
     *
     * @param code what it computes
     * @param axis the dimension of the channels
     * @param channels their number
     * @param numbersOf the first numbers of all channels, then the second ones
     * @throws IllegalArgumentException if there are too many steps
     */
    public void addStep(Code code, int axis, int channels, Table numbersOf) {
        long at = newStep(code);
        bytes.set(JAVA_BYTE, at + 1, (byte) axis);
        bytes.set(JAVA_INT, at + 4, channels);
        bytes.set(JAVA_LONG, at + 8, numbersOf.begin());
    }

    private long newStep(Code code) {
        require("steps", steps + 1, STEPS_MAX);
        long at = STEPS + steps * STEP_BYTES;
        steps++;
        bytes.set(JAVA_BYTE, at, (byte) code.number);
        bytes.set(JAVA_INT, LEVELS + (levels - 1) * LEVEL_BYTES + ROWS + 20, steps);
        return at;
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** {@return how many elements of a result a thread computes at a time} */
    int together() {
        return isInGroups && levels == 1 ? GROUP : 1;
    }

    int levels() {
        return levels;
    }

    long elements() {
        return elements;
    }

    /** {@return the bytes of the samples} */
    long sourceBytes(long samples) {
        return samples * sourceElements * source.bytes;
    }

    /** {@return the bytes from the first result to the last one} */
    long targetBytes(long samples) {
        return ((samples - 1) * targetElements + elements) * result.bytes;
    }
}
