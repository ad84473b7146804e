package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Computes numbers from those of a sample by machine code, for Linux on x86-64 with AVX2 and F16C.
 * {@code -Dio.zarrengine.machinecode=off} switches it off. Numbers are computed in float64, rounded
 * after each operation, and rounded once more to the type of the result.
 *
 * <p>Immutable. Owner: the garbage collector. Threads: any.
 */
public final class MachineCodeTransform {
    private static final TransformFunction CODE = TransformFunction.load();

    // In the order of the fields of rows.c.
    private static final int PROGRAM_FIELDS = 7;
    private static final int OPERATION_FIELDS = 6;
    private static final int GROUP = 32; // numbers that the code computes together

    /** Most dimensions: rows.c keeps the position on its stack. */
    public static final int DIMENSIONS_MAX = 16;

    /** Most operations: rows.c keeps their numbers on its stack. */
    public static final int OPERATIONS_MAX = 16;

    /** The type of a number. Results are floats. */
    public enum NumberType {
        /** 8 bits, signed. */
        INT8(0, 1),
        /** 8 bits. */
        UINT8(1, 1),
        /** 16 bits, signed. */
        INT16(2, 2),
        /** 16 bits. */
        UINT16(3, 2),
        /** 32 bits, signed. */
        INT32(4, 4),
        /** 32 bits. */
        UINT32(5, 4),
        /** IEEE 754's binary16. */
        FLOAT16(6, 2),
        /** The upper half of a float32. */
        BFLOAT16(7, 2),
        /** IEEE 754's binary32. */
        FLOAT32(8, 4),
        /** IEEE 754's binary64. */
        FLOAT64(9, 8);

        private final int number; // in rows.c
        private final int bytes;

        NumberType(int number, int bytes) {
            this.number = number;
            this.bytes = bytes;
        }

        private boolean isResult() {
            return number >= FLOAT16.number;
        }
    }

    /** The function of {@code x} that an {@link Operation} computes. */
    public enum Code {
        /** NaN if {@code x} is {@code first}. */
        MISSING(0),
        /** {@code x * first + second}. */
        SCALE(1),
        /** {@code (x - first) / second}. */
        DIVIDE(2),
        /** {@code (x - first) * second}. */
        MULTIPLY(3),
        /** Not less than {@code first}, not more than {@code second}, which is not -0.0. */
        CLIP(4),
        /** 1 if {@code x} is NaN, otherwise 0. */
        IS_MISSING(5);

        private final int number; // in rows.c

        Code(int number) {
            this.number = number;
        }
    }

    /**
     * Computes a number from another one.
     *
     * @param code what it computes
     * @param axis the dimension along which there are several numbers; the last one only to {@link
     *     Code#DIVIDE}
     * @param first one number for all elements, or one for each position along the axis
     * @param second as many
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Operation(Code code, int axis, double[] first, double[] second) {}

    private final MemorySegment program;
    private final NumberType type;
    private final NumberType result;
    private final long rows;
    private final long rowBytes; // of results
    private final long lowest; // offset of the first byte that is read, from position 0
    private final long end; // offset after the last one

    /**
     * Prepares a computation.
     *
     * @param type of the elements of the sample
     * @param result float16, bfloat16, float32 or float64
     * @param lengths of the dimensions of the result: 1 to {@link #DIMENSIONS_MAX}, each positive
     * @param strides for each dimension, from one element of the sample to the next
     * @param operations at most {@link #OPERATIONS_MAX}
     * @throws IllegalArgumentException if they are none of these
     * @throws ArithmeticException if an offset overflows
     * @throws UnsupportedOperationException if there is a {@link #denial}
     */
    public MachineCodeTransform(
            NumberType type,
            NumberType result,
            long[] lengths,
            long[] strides,
            List<Operation> operations) {
        if (CODE.denial() != null) {
            throw new UnsupportedOperationException(CODE.denial());
        }
        if (!result.isResult()
                || lengths.length == 0
                || lengths.length > DIMENSIONS_MAX
                || strides.length != lengths.length
                || operations.size() > OPERATIONS_MAX
                || Arrays.stream(lengths).anyMatch(length -> length < 1)) {
            throw new IllegalArgumentException(
                    "%s to %s, %s, %d strides, %d operations"
                            .formatted(
                                    type,
                                    result,
                                    Arrays.toString(lengths),
                                    strides.length,
                                    operations.size()));
        }
        this.type = type;
        this.result = result;
        int last = lengths.length - 1;
        this.rows = Arrays.stream(lengths, 0, last).reduce(1, Math::multiplyExact);
        this.rowBytes = Math.multiplyExact(lengths[last], result.bytes);
        Math.multiplyExact(rows, rowBytes);
        long least = 0;
        long greatest = 0;
        for (int d = 0; d < lengths.length; d++) {
            long farthest = Math.multiplyExact(lengths[d] - 1, strides[d]);
            least = Math.addExact(least, Math.min(farthest, 0));
            greatest = Math.addExact(greatest, Math.max(farthest, 0));
        }
        this.lowest = Math.multiplyExact(least, type.bytes);
        this.end = Math.multiplyExact(Math.addExact(greatest, 1), type.bytes);
        this.program = written(lengths, strides, operations);
    }

    /** {@return the reason why nothing can be computed; empty if it can} */
    public static Optional<String> denial() {
        return Optional.ofNullable(CODE.denial());
    }

    private MemorySegment written(long[] lengths, long[] strides, List<Operation> operations) {
        Arena arena = Arena.ofAuto(); // Allowed: a few hundred bytes; kernels have no close().
        long[] described = new long[operations.size() * OPERATION_FIELDS];
        long tables = 0;
        for (Operation one : operations) {
            checkChannels(one, lengths);
            tables += 2L * (one.first().length + GROUP);
        }
        int dimensions = lengths.length;
        long fields = PROGRAM_FIELDS + 2L * dimensions + described.length;
        MemorySegment all = arena.allocate((fields + tables) * Long.BYTES, Long.BYTES);
        long address = all.address() + PROGRAM_FIELDS * (long) Long.BYTES;
        long[] head = {
            type.number,
            result.number,
            dimensions,
            operations.size(),
            address,
            address + (long) dimensions * Long.BYTES,
            address + 2L * dimensions * Long.BYTES
        };
        MemorySegment.copy(head, 0, all, JAVA_LONG, 0, head.length);
        MemorySegment.copy(lengths, 0, all, JAVA_LONG, head.length * 8L, dimensions);
        MemorySegment.copy(strides, 0, all, JAVA_LONG, (head.length + dimensions) * 8L, dimensions);
        long at = fields * Long.BYTES;
        for (int i = 0; i < operations.size(); i++) {
            Operation one = operations.get(i);
            int channels = one.first().length;
            boolean isAlongRow = channels > 1 && one.axis() == dimensions - 1;
            int field = i * OPERATION_FIELDS;
            described[field] = one.code().number;
            described[field + 1] = rowsOfChannel(one, lengths);
            described[field + 2] = isAlongRow ? 1 : channels;
            described[field + 3] = isAlongRow ? 1 : 0;
            described[field + 4] = all.address() + at;
            MemorySegment.copy(one.first(), 0, all, JAVA_DOUBLE, at, channels);
            at += (channels + GROUP) * (long) Double.BYTES;
            described[field + 5] = all.address() + at;
            MemorySegment.copy(one.second(), 0, all, JAVA_DOUBLE, at, channels);
            at += (channels + GROUP) * (long) Double.BYTES;
        }
        MemorySegment.copy(
                described,
                0,
                all,
                JAVA_LONG,
                (head.length + 2L * dimensions) * 8,
                described.length);
        return all;
    }

    private static void checkChannels(Operation one, long[] lengths) {
        int channels = one.first().length;
        boolean fits =
                channels == 1
                        || (one.axis() >= 0
                                && one.axis() < lengths.length
                                && lengths[one.axis()] == channels
                                && (one.axis() < lengths.length - 1 || one.code() == Code.DIVIDE));
        if (!fits || one.second().length != channels) {
            throw new IllegalArgumentException(
                    "%s of %d and %d numbers along axis %d of %s"
                            .formatted(
                                    one.code(),
                                    channels,
                                    one.second().length,
                                    one.axis(),
                                    Arrays.toString(lengths)));
        }
    }

    private static long rowsOfChannel(Operation one, long[] lengths) {
        long rows = 1;
        for (int d = one.axis() + 1; d < lengths.length - 1; d++) {
            rows *= lengths[d];
        }
        return rows;
    }

    /**
     * Computes some rows of a sample. The call keeps the target alive, which {@linkplain
     * MachineCodeRowCopy#isCounted may be slow}; the caller keeps the source alive.
     *
     * @param source native memory, not a mapped file
     * @param from offset of the element of position 0, in bytes
     * @param target native memory, not a mapped file; does not overlap the source
     * @param to offset of the result of row 0, in bytes
     * @param begin the first row
     * @param rowEnd the row after the last one
     * @param isFar whether to write past the caches
     * @throws IndexOutOfBoundsException if a range is not in its segment, or there are no such
     *     rows; nothing is written
     * @throws IllegalArgumentException if a segment is on the heap, or the target is read-only
     * @throws IllegalStateException if a segment has ended
     * @throws WrongThreadException if a segment is another thread's
     */
    public void run(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            long begin,
            long rowEnd,
            boolean isFar) {
        MachineCodeRowCopy.checkMemory(source, target);
        if (!target.isNative()) {
            throw new IllegalArgumentException("the target is on the heap");
        }
        Objects.checkFromToIndex(begin, rowEnd, rows);
        Objects.checkFromToIndex(
                Math.addExact(from, lowest), Math.addExact(from, end), source.byteSize());
        long first = Math.addExact(to, begin * rowBytes);
        Objects.checkFromIndexSize(first, (rowEnd - begin) * rowBytes, target.byteSize());
        try {
            CODE.call(
                    begin,
                    source.asSlice(from),
                    rowEnd,
                    program.address(),
                    isFar,
                    target.asSlice(to));
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
