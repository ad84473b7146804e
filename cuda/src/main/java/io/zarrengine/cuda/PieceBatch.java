package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/**
 * Pieces of decoded chunks that one launch places at their strided targets. On the way it may
 * unshuffle, swap bytes, or fill with one value. Another kernel also converts elements; a batch has
 * pieces for only one of the two. The kernels take descriptors in host memory, and their work is
 * cut into tiles, numbered over all pieces.
 *
 * <p>Owner: the memory's. Threads: one at a time. Lent to: the device, from the upload until the
 * stream has passed it; then it may be filled again.
 *
 * <p>Shapes, strides and offsets count elements. A piece that would leave its source or its target
 * is refused here, because on the device it would be a sticky error.
 */
public final class PieceBatch {
    /** Size of {@code Piece} in {@code kernels.cu}. */
    public static final long DESCRIPTOR_BYTES = 256;

    /** The maximum number of dimensions of a piece. */
    public static final int RANK_MAX = 8;

    /**
     * The maximum number of dimensions of a converted piece. The space of two more holds the
     * conversion.
     */
    public static final int CONVERTED_RANK_MAX = 6;

    /**
     * The units that a block of threads processes at a time; {@code unitsPerTile} in {@code
     * kernels.cu}.
     */
    static final long UNITS_PER_TILE = 1024;

    /**
     * The size and byte order of an element.
     *
     * @param bytes its size in bytes
     * @param swapBytes 0, or the size of the numbers in it whose bytes are reversed: 2, 4 or 8
     */
    public record Element(int bytes, int swapBytes) implements RepeatedPiece.Form {
        /**
         * Checks the sizes.
         *
         * @param bytes its size in bytes
         * @param swapBytes 0, or the size of the numbers in it whose bytes are reversed: 2, 4 or 8
         */
        public Element {
            boolean swaps = swapBytes == 2 || swapBytes == 4 || swapBytes == 8;
            if (bytes <= 0 || (swapBytes != 0 && (!swaps || bytes % swapBytes != 0))) {
                throw new IllegalArgumentException(bytes + " bytes, swapped by " + swapBytes);
            }
        }
    }

    /** The source of a piece's elements. */
    public sealed interface Source {
        /**
         * A decoded chunk.
         *
         * @param chunk its bytes
         * @param firstElement index of the piece's first element
         */
        record Plain(DeviceSlice chunk, long firstElement) implements Source {
            /** Returns the address of the piece's first element. */
            long address(int elementBytes) {
                return chunk.address() + firstElement * elementBytes;
            }
        }

        /**
         * A decoded chunk that is still shuffled.
         *
         * @param chunk its bytes: whole elements
         * @param firstElement index of the piece's first element
         * @param shuffle the kind of shuffle
         * @param blockElements number of elements in a block, which is shuffled on its own; the
         *     last block may be shorter
         */
        record Shuffled(DeviceSlice chunk, long firstElement, Shuffle shuffle, long blockElements)
                implements Source {}

        /**
         * One value for all elements, of 1, 2, 4, 8 or 16 bytes, in the target's byte order.
         *
         * @param low its first 8 bytes, little-endian
         * @param high its next 8 bytes
         */
        record Fill(long low, long high) implements Source {}
    }

    private static final long SOURCE = 0;
    private static final long TARGET = 8;
    private static final long FIRST_TILE = 16;
    private static final long UNIT_COUNT = 24;
    private static final long RANK = 32;
    private static final long MODE = 33;
    private static final long UNIT_BYTES = 34;
    private static final long ELEMENT_BYTES = 35;
    private static final long SWAP_BYTES = 36;
    private static final long SOURCE_ELEMENTS = 40;
    private static final long BLOCK_ELEMENTS = 48;
    private static final long FIRST_ELEMENT = 56;
    private static final long SHAPE = 64;
    private static final long SOURCE_STRIDES = 128;
    private static final long TARGET_STRIDES = 192;

    private static final long CODES = SHAPE + 8L * CONVERTED_RANK_MAX;
    private static final long DIVISORS = SOURCE_STRIDES + 8L * CONVERTED_RANK_MAX;
    private static final long ADDENDS = TARGET_STRIDES + 8L * CONVERTED_RANK_MAX;

    /** The number of consecutive elements that a thread converts at once. */
    private static final int GROUP = 4;

    private static final byte PLAIN = 0;
    private static final byte FILL = 3;

    private final MemorySegment memory;
    private final StridedRun run = new StridedRun(); // of the last descriptor
    private final RepeatedPiece repeated = new RepeatedPiece();
    private long count;
    private long tiles;

    /**
     * Creates an empty batch.
     *
     * @param memory pinned memory for the descriptors, aligned to 8 bytes
     */
    public PieceBatch(MemorySegment memory) {
        if (memory.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("descriptors are aligned to 8 bytes");
        }
        this.memory = memory;
    }

    /** {@return the number of descriptors} */
    public long count() {
        return count;
    }

    /** {@return whether no more descriptors fit} */
    public boolean isFull() {
        return (count + 1) * DESCRIPTOR_BYTES > memory.byteSize();
    }

    /** {@return the descriptors, to be copied to the device} */
    public MemorySegment descriptors() {
        return memory.asSlice(0, count * DESCRIPTOR_BYTES);
    }

    /** Empties the batch. */
    public void clear() {
        count = 0;
        tiles = 0;
        repeated.end();
    }

    long tiles() {
        return tiles;
    }

    /**
     * Adds a piece; one without elements is ignored. Pieces of a batch must not overlap in the
     * target. Consecutive pieces with the same box, at equal distances, share one descriptor.
     *
     * @param source the source of its elements
     * @param target the target; aligned to the largest power of two that divides the element size
     * @param firstElement index of the piece's first element in the target
     * @param box its elements
     * @param element size and byte order of its elements
     * @throws IndexOutOfBoundsException if the piece leaves its source or its target
     * @throws IllegalArgumentException if the element's size or an address is not supported
     * @throws IllegalStateException if it needs a descriptor and the batch is full
     */
    public void add(
            Source source, DeviceSlice target, long firstElement, Box box, Element element) {
        if (box.isEmpty()) {
            return;
        }
        long to = box.targetStart(target, firstElement, element.bytes());
        checkSource(source, box, element.bytes());
        if (tryRepeat(source, to, box, element, RANK_MAX)) {
            return;
        }
        switch (source) {
            case Source.Plain plain -> addPlain(plain, to, box, element);
            case Source.Shuffled shuffled -> addShuffled(shuffled, to, box, element);
            case Source.Fill fill -> addFill(fill, to, box, element);
        }
        repeated.begin(source, to, box, element);
    }

    /** Checks that a piece lies inside its chunk, if it has one. */
    private static void checkSource(Source source, Box box, int elementBytes) {
        if (source instanceof Source.Plain(DeviceSlice chunk, long first)) {
            box.sourceStart(chunk, first, elementBytes);
        } else if (source instanceof Source.Shuffled(DeviceSlice chunk, long first, _, _)) {
            box.sourceStart(chunk, first, elementBytes);
        }
    }

    /**
     * Extends the last descriptor by a piece. If that is impossible, ends the descriptor's
     * repetition and returns false.
     */
    private boolean tryRepeat(
            Source source, long to, Box box, RepeatedPiece.Form form, int rankMax) {
        boolean hasRoom = run.rank() < rankMax; // for one more dimension
        if (hasRoom && repeated.tryAdd(source, to, box, form)) {
            writeRepeated(source);
            return true;
        }
        repeated.end();
        return false;
    }

    /** Rewrites the last descriptor with the new number of repeated pieces. */
    private void writeRepeated(Source source) {
        MemorySegment descriptor = memory.asSlice((count - 1) * DESCRIPTOR_BYTES, DESCRIPTOR_BYTES);
        if (repeated.count() == 2) {
            writeDimension(descriptor, 0, 1, repeated.sourceStep(), repeated.targetStep());
            writeRun(descriptor, 1);
        }
        descriptor.set(JAVA_LONG, SHAPE, repeated.count());
        if (source instanceof Source.Shuffled) {
            descriptor.set(JAVA_LONG, SOURCE_ELEMENTS, repeated.count() * repeated.sourceStep());
        }
        tiles = descriptor.get(JAVA_LONG, FIRST_TILE);
        writeUnits(descriptor, repeated.count() * run.units());
    }

    /**
     * Adds a piece whose elements are converted, for {@link ChunkKernels#convert}; one without
     * elements is ignored.
     *
     * @param source a chunk of stored numbers, aligned to their size
     * @param target the target of the converted numbers, aligned to their size
     * @param firstElement index of the piece's first element in the target
     * @param box its elements, of at most {@link #CONVERTED_RANK_MAX} dimensions
     * @param conversion the conversion of its numbers
     * @throws IndexOutOfBoundsException if the piece leaves its source or its target
     * @throws IllegalArgumentException if there are too many dimensions, or an address is not
     *     aligned
     * @throws IllegalStateException if the batch is full
     */
    public void addConverted(
            Source source, DeviceSlice target, long firstElement, Box box, Conversion conversion) {
        if (box.isEmpty()) {
            return;
        }
        int storedBytes = conversion.stored().bytes();
        int bytes = conversion.target().bytes();
        Source.Shuffled shuffled = shuffled(source, storedBytes);
        long to = box.targetStart(target, firstElement, bytes);
        long from = box.sourceStart(shuffled.chunk(), shuffled.firstElement(), storedBytes);
        if (tryRepeat(source, to, box, conversion, CONVERTED_RANK_MAX)) {
            return;
        }
        run.resetElements(box.shape(), box.sourceStrides(), box.targetStrides(), bytes);
        boolean isPlain = source instanceof Source.Plain;
        if (to % bytes != 0
                || (isPlain && from % storedBytes != 0)
                || run.rank() > CONVERTED_RANK_MAX) {
            throw new IllegalArgumentException(
                    "not aligned, or too many dimensions: %x to %x, %d"
                            .formatted(from, to, run.rank()));
        }
        MemorySegment descriptor = next();
        writeShuffled(descriptor, shuffled, storedBytes, conversion.swapBytes());
        descriptor.set(JAVA_BYTE, MODE, isPlain ? PLAIN : (byte) shuffled.shuffle().mode);
        descriptor.set(JAVA_LONG, CODES, conversion.codes());
        for (int i = 0; i < conversion.scalings().size(); i++) {
            Conversion.Step.Scale scale = conversion.scalings().get(i);
            descriptor.set(JAVA_DOUBLE, DIVISORS + 8L * i, scale.divisor());
            descriptor.set(JAVA_DOUBLE, ADDENDS + 8L * i, scale.addend());
        }
        boolean isGrouped =
                isPlain
                        ? run.join(GROUP, from / storedBytes, GROUP * bytes, to)
                        : joins(shuffled, GROUP, storedBytes, GROUP * bytes, to);
        write(descriptor, to, isGrouped ? GROUP * storedBytes : storedBytes, storedBytes);
        repeated.begin(source, to, box, conversion);
    }

    /**
     * Returns the source in shuffled form. Plain elements become one block; its shuffle is not
     * used.
     */
    private static Source.Shuffled shuffled(Source source, int elementBytes) {
        return switch (source) {
            case Source.Shuffled shuffled -> shuffled;
            case Source.Plain plain ->
                    new Source.Shuffled(
                            plain.chunk(),
                            plain.firstElement(),
                            Shuffle.BYTES,
                            Math.max(1, plain.chunk().byteSize() / elementBytes));
            case Source.Fill fill -> throw new IllegalArgumentException(fill + " is no chunk");
        };
    }

    /**
     * Adds all pieces of another batch, which were described before their device addresses were
     * known.
     *
     * @param others a batch with placeholder addresses
     * @param address maps a placeholder to an address; they differ by a multiple of 16, and by the
     *     same amount for placeholders less than 4 GiB apart
     * @throws IllegalStateException if there is no room for all of them
     */
    public void addAll(PieceBatch others, LongUnaryOperator address) {
        repeated.end();
        MemorySegment added = copyAfter(others.descriptors());
        for (long at = 0; at < added.byteSize(); at += DESCRIPTOR_BYTES) {
            if (added.get(JAVA_BYTE, at + MODE) != FILL) {
                long source = added.get(JAVA_LONG, at + SOURCE);
                added.set(JAVA_LONG, at + SOURCE, address.applyAsLong(source));
            }
            long target = added.get(JAVA_LONG, at + TARGET);
            added.set(JAVA_LONG, at + TARGET, address.applyAsLong(target));
            long firstTile = added.get(JAVA_LONG, at + FIRST_TILE);
            added.set(JAVA_LONG, at + FIRST_TILE, tiles + firstTile);
        }
        count += others.count;
        tiles += others.tiles;
    }

    /**
     * Copies descriptors after those of this batch. They are counted once their addresses are
     * mapped.
     */
    private MemorySegment copyAfter(MemorySegment others) {
        long begin = count * DESCRIPTOR_BYTES;
        if (others.byteSize() > memory.byteSize() - begin) {
            throw new IllegalStateException(
                    "the batch holds %d descriptors, there is no room for %d more"
                            .formatted(count, others.byteSize() / DESCRIPTOR_BYTES));
        }
        return memory.asSlice(begin, others.byteSize()).copyFrom(others);
    }

    /** Returns the next descriptor, all zero. It is counted by {@link #write}. */
    private MemorySegment next() {
        if (isFull()) {
            throw new IllegalStateException("the batch holds " + count + " descriptors already");
        }
        return memory.asSlice(count * DESCRIPTOR_BYTES, DESCRIPTOR_BYTES).fill((byte) 0);
    }

    private void addPlain(Source.Plain plain, long to, Box box, Element element) {
        long from = plain.address(element.bytes());
        run.reset(box.shape(), box.sourceStrides(), box.targetStrides(), element.bytes());
        int unitBytes = run.widen(from, to);
        if (unitBytes < element.swapBytes()) {
            throw new IllegalArgumentException("numbers to be swapped are aligned to their size");
        }
        MemorySegment descriptor = next();
        descriptor.set(JAVA_LONG, SOURCE, from);
        descriptor.set(JAVA_BYTE, MODE, PLAIN);
        descriptor.set(JAVA_INT, SWAP_BYTES, element.swapBytes());
        write(descriptor, to, unitBytes, unitBytes);
    }

    private void addFill(Source.Fill fill, long to, Box box, Element element) {
        int bytes = element.bytes();
        checkSize(bytes);
        long low = FillPattern.low(fill.low(), bytes);
        run.reset(box.shape(), box.targetStrides(), box.targetStrides(), bytes);
        int unitBytes = run.widen(0, to);
        if (unitBytes < bytes) {
            throw new IllegalArgumentException("the target is not aligned to its elements");
        }
        MemorySegment descriptor = next();
        descriptor.set(JAVA_LONG, SOURCE, low);
        descriptor.set(JAVA_LONG, SOURCE_ELEMENTS, bytes == 16 ? fill.high() : low);
        descriptor.set(JAVA_BYTE, MODE, FILL);
        write(descriptor, to, unitBytes, unitBytes);
    }

    private void addShuffled(Source.Shuffled shuffled, long to, Box box, Element element) {
        int bytes = element.bytes();
        checkSize(bytes);
        if (to % bytes != 0) {
            throw new IllegalArgumentException("the target is not aligned to its elements");
        }
        run.resetElements(box.shape(), box.sourceStrides(), box.targetStrides(), bytes);
        int joinedBytes = joinedBytes(shuffled.shuffle(), bytes);
        boolean isJoined =
                joinedBytes > bytes && joins(shuffled, joinedBytes / bytes, bytes, joinedBytes, to);
        int unitBytes = isJoined ? joinedBytes : bytes;
        MemorySegment descriptor = next();
        writeShuffled(descriptor, shuffled, bytes, element.swapBytes());
        write(descriptor, to, unitBytes, bytes);
    }

    private static void writeShuffled(
            MemorySegment descriptor, Source.Shuffled shuffled, int bytes, int swapBytes) {
        if (shuffled.chunk().byteSize() % bytes != 0 || shuffled.blockElements() <= 0) {
            throw new IllegalArgumentException(shuffled + ", elements of " + bytes + " bytes");
        }
        descriptor.set(JAVA_LONG, SOURCE, shuffled.chunk().address());
        descriptor.set(JAVA_BYTE, MODE, (byte) shuffled.shuffle().mode);
        descriptor.set(JAVA_INT, SWAP_BYTES, swapBytes);
        descriptor.set(JAVA_LONG, SOURCE_ELEMENTS, shuffled.chunk().byteSize() / bytes);
        descriptor.set(JAVA_LONG, BLOCK_ELEMENTS, shuffled.blockElements());
        descriptor.set(JAVA_LONG, FIRST_ELEMENT, shuffled.firstElement());
    }

    /**
     * Returns the size of the unit that a thread can assemble from consecutive elements, or of one
     * element.
     */
    private static int joinedBytes(Shuffle shuffle, int elementBytes) {
        int max = StridedRun.UNIT_BYTES_MAX;
        return switch (shuffle) {
            case BYTES -> elementBytes == 1 ? elementBytes : max;
            case BITS -> elementBytes == max ? elementBytes : Byte.SIZE * elementBytes;
        };
    }

    /**
     * Joins consecutive elements to one unit if everything is aligned to it. Returns whether it
     * did.
     */
    private boolean joins(
            Source.Shuffled shuffled, int elements, int bytes, int joinedBytes, long to) {
        long blocks = shuffled.chunk().byteSize() / bytes | shuffled.blockElements();
        if (shuffled.shuffle() == Shuffle.BITS) { // bit-shuffled bytes are loaded one by one
            return blocks % Byte.SIZE == 0
                    && run.join(elements, shuffled.firstElement(), joinedBytes, to);
        }
        long places = blocks | shuffled.firstElement() | shuffled.chunk().address();
        return run.join(elements, places, joinedBytes, to);
    }

    private void write(MemorySegment descriptor, long to, int unitBytes, int elementBytes) {
        descriptor.set(JAVA_LONG, TARGET, to);
        descriptor.set(JAVA_BYTE, UNIT_BYTES, (byte) unitBytes);
        descriptor.set(JAVA_BYTE, ELEMENT_BYTES, (byte) elementBytes);
        descriptor.set(JAVA_LONG, FIRST_TILE, tiles);
        writeRun(descriptor, 0);
        writeUnits(descriptor, run.units());
        count++;
    }

    /** {@code outside} is the number of dimensions around those of the run. */
    private void writeRun(MemorySegment descriptor, int outside) {
        for (int i = 0; i < run.rank(); i++) {
            writeDimension(
                    descriptor,
                    outside + i,
                    run.length(i),
                    run.sourceStride(i),
                    run.targetStride(i));
        }
        descriptor.set(JAVA_BYTE, RANK, (byte) (outside + run.rank()));
    }

    private static void writeDimension(
            MemorySegment descriptor, int i, long length, long sourceStride, long targetStride) {
        descriptor.set(JAVA_LONG, SHAPE + 8L * i, length);
        descriptor.set(JAVA_LONG, SOURCE_STRIDES + 8L * i, sourceStride);
        descriptor.set(JAVA_LONG, TARGET_STRIDES + 8L * i, targetStride);
    }

    /** Sets the units of the last descriptor. */
    private void writeUnits(MemorySegment descriptor, long units) {
        descriptor.set(JAVA_LONG, UNIT_COUNT, units);
        tiles += (units + UNITS_PER_TILE - 1) / UNITS_PER_TILE;
    }

    private static void checkSize(int elementBytes) {
        if (elementBytes > 16 || Integer.bitCount(elementBytes) != 1) {
            throw new IllegalArgumentException("elements of " + elementBytes + " bytes");
        }
    }
}
