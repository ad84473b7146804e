package io.zarrengine.bindings.machinecode;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.kernels.CompiledCode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decodes chunks of blosc1 and places their rows, in one call for each chunk. The other machine
 * code decodes streams, puts bytes together and copies rows; a new process interprets Java between
 * these calls for longer than they take. Handles LZ4 and BloscLZ, shuffled elements of 2, 4 or 8
 * bytes or none, and refuses everything else, as it refuses damaged chunks.
 *
 * <p>Whatever the input, a call accesses no memory outside its arguments. {@code
 * -Dio.zarrengine.machinecode=off} switches it off.
 *
 * <p>Owner: one thread at a time.
 *
 * @see <a href="https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst">c-blosc, chunk
 *     format</a>
 */
public final class MachineCodeBlosc implements AutoCloseable {
    /**
     * The linked function, or the reason why there is none; a class that fails would lose reads.
     */
    private record Linked(String denial, MethodHandle place) {
        static Linked load() {
            String denial = denialOfParts();
            if (denial != null) {
                return new Linked(denial, null);
            }
            try {
                return new Linked(null, MachineCodeEntries.load(CompiledCode.BLOSC).function(0));
            } catch (ErrnoException e) {
                return new Linked(e.getMessage(), null);
            }
        }

        private static String denialOfParts() {
            return Stream.of(
                            MachineCodeLz4.denial(),
                            MachineCodeLz77.denial(),
                            MachineCodeShuffle.denial(),
                            MachineCodeRowCopy.denial())
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElse(null);
        }
    }

    /** Most dimensions of a box, beside the one along a row. */
    public static final int OUTER_MAX = 7;

    /** Most boxes of one chunk. */
    public static final int BOXES_MAX = 16;

    // The order is that of Call in blosc.h.
    private static final int BUFFER = 4;
    private static final int DECODED_BYTES = 5;
    private static final int ELEMENT_BYTES = 6;
    private static final int FROM = 7;
    private static final int TO = 8;
    private static final int BOX_COUNT = 9;
    private static final int BOXES = 10;

    // And that of Box.
    private static final int COPY_ROWS = 0;
    private static final int SOURCE_OFFSET = 1;
    private static final int TARGET_OFFSET = 2;
    private static final int ROW_BYTES = 3;
    private static final int OUTER = 4;
    private static final int DIMENSIONS = 5;
    private static final int BOX_FIELDS = DIMENSIONS + 3 * OUTER_MAX;
    private static final int FIELDS = BOXES + BOXES_MAX * BOX_FIELDS;

    private static final Linked LINKED = Linked.load();

    private static final long COPY_NON_TEMPORAL = addressOf(RowFunction.NON_TEMPORAL);
    private static final long COPY_SHORT = addressOf(RowFunction.SHORT);

    private final MachineCodeLz4 lz4;
    private final NativeMemory call;
    private final long[] fields = new long[FIELDS];

    /**
     * Creates a decoder.
     *
     * @throws UnsupportedOperationException if it is {@linkplain #denial missing}
     */
    public MachineCodeBlosc() {
        if (LINKED.denial != null) {
            throw new UnsupportedOperationException(LINKED.denial);
        }
        lz4 = new MachineCodeLz4();
        call = NativeMemory.allocate(FIELDS * JAVA_LONG.byteSize());
        long[] parts = {
            MachineCodeLz4.address(),
            DecoderCode.addressOf(lz4.state()),
            MachineCodeLz77.blosclzAddress(),
            MachineCodeShuffle.unshuffleAddress()
        };
        System.arraycopy(parts, 0, fields, 0, parts.length);
    }

    /** {@return the reason why the decoder is missing; empty if it is there} */
    public static Optional<String> denial() {
        return Optional.ofNullable(LINKED.denial);
    }

    private static long addressOf(RowFunction function) {
        return LINKED.denial == null ? MachineCodeRowCopy.entries().address(function.entry()) : 0;
    }

    /**
     * Begins a chunk, of which no box is wanted yet.
     *
     * @param decodedBytes its decoded size
     * @param elementBytes size of an element; rows have whole ones
     */
    public void begin(long decodedBytes, int elementBytes) {
        fields[DECODED_BYTES] = decodedBytes;
        fields[ELEMENT_BYTES] = elementBytes;
        fields[FROM] = Long.MAX_VALUE;
        fields[TO] = 0;
        fields[BOX_COUNT] = 0;
    }

    /** {@return the numbers of which some are the next box} */
    public long[] fields() {
        return fields;
    }

    /**
     * {@return the first of the {@link #fields} of the next box, of at most {@link #BOXES_MAX}:
     * offset of its first row in the chunk and in the target; length of a row; number of other
     * dimensions; for each, its count, and its strides in the chunk and in the target} Rows are in
     * the chunk's order.
     */
    public int nextBox() {
        return box() + SOURCE_OFFSET;
    }

    private int box() {
        return BOXES + (int) Objects.checkIndex(fields[BOX_COUNT], (long) BOXES_MAX) * BOX_FIELDS;
    }

    /**
     * Adds the next box.
     *
     * @param targetBytes size of the target
     * @param isNonTemporal whether its rows are written past the caches, unless they are shuffled
     * @throws IndexOutOfBoundsException if a row is not in the chunk or in the target
     * @throws ArithmeticException if checking that overflows
     * @throws IllegalArgumentException if rows are not in the chunk's order
     */
    public void add(long targetBytes, boolean isNonTemporal) {
        int box = box();
        int outer = (int) Objects.checkIndex(fields[box + OUTER], OUTER_MAX + 1L);
        long from = fields[box + SOURCE_OFFSET];
        long to = from;
        long low = fields[box + TARGET_OFFSET];
        long high = low;
        for (int d = 0; d < outer; d++) {
            int at = box + DIMENSIONS + 3 * d;
            long steps = fields[at] - 1;
            if (steps < 0 || fields[at + 1] <= 0) {
                throw new IllegalArgumentException("rows are not in the chunk's order");
            }
            to = Math.addExact(to, Math.multiplyExact(steps, fields[at + 1]));
            long reach = Math.multiplyExact(steps, fields[at + 2]);
            low = Math.addExact(low, Math.min(reach, 0));
            high = Math.addExact(high, Math.max(reach, 0));
        }
        long row = fields[box + ROW_BYTES];
        to = Math.addExact(to, row);
        Objects.checkFromToIndex(from, to, fields[DECODED_BYTES]);
        Objects.checkFromIndexSize(low, Math.addExact(high - low, row), targetBytes);
        fields[box + COPY_ROWS] = isNonTemporal ? COPY_NON_TEMPORAL : COPY_SHORT;
        fields[FROM] = Math.min(fields[FROM], from);
        fields[TO] = Math.max(fields[TO], to);
        fields[BOX_COUNT]++;
    }

    /**
     * Decodes a chunk, at least up to the last wanted byte, and writes the rows of its boxes.
     *
     * @param chunk native memory, not a mapped file
     * @param buffer native memory of the decoded size, all of which may be overwritten
     * @param target native memory, not a mapped file, of the size that the boxes were added for;
     *     does not overlap the others
     * @return number of decoded bytes; negative if the chunk is refused, and then rows may have
     *     been written
     * @throws IndexOutOfBoundsException if the buffer is too small; nothing is written
     * @throws IllegalArgumentException if memory is on the heap or read-only, or there is no box;
     *     nothing is written
     */
    public long place(MemorySegment chunk, MemorySegment buffer, MemorySegment target) {
        int boxes = (int) fields[BOX_COUNT];
        if (boxes == 0) {
            throw new IllegalArgumentException("no box was added");
        }
        Objects.checkFromIndexSize(0, fields[DECODED_BYTES], buffer.byteSize());
        MachineCodeRowCopy.checkMemory(buffer, target);
        fields[BUFFER] = buffer.address();
        MemorySegment memory = call.segment();
        MemorySegment.copy(fields, 0, memory, JAVA_LONG, 0, BOXES + boxes * BOX_FIELDS);
        try {
            return DecoderCode.call(LINKED.place, chunk, 0, memory.address(), target);
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public void close() {
        call.close();
        lz4.close();
    }
}
