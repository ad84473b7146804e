package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/** Shuffled blocks, to be unshuffled by one launch. */
public final class ShuffleBatch extends DescriptorBatch {
    /** Size of {@code Shuffled} in {@code kernels.cu}. */
    public static final long DESCRIPTOR_BYTES = 48;

    private static final long SOURCE = 0;
    private static final long TARGET = 8;
    private static final long BYTES = 16;
    private static final long FIRST_TILE = 24;
    private static final long UNIT_COUNT = 32;
    private static final long ELEMENT_BYTES = 40;
    private static final long MODE = 44;

    private static final int BITS = Byte.SIZE; // elements in a group

    /**
     * Creates an empty batch.
     *
     * @param memory for the descriptors, pinned, aligned to 8 bytes
     */
    public ShuffleBatch(MemorySegment memory) {
        super(memory, DESCRIPTOR_BYTES);
    }

    /**
     * Adds a block. Bytes at its end that make no element are copied; so is all of a bit-shuffled
     * block whose elements 8 does not divide, as c-blosc leaves it.
     *
     * @param shuffle how it is shuffled
     * @param source the block
     * @param target where it goes, as large as the block; not overlapping
     * @param elementBytes size of an element, {@code > 0}
     * @throws IllegalArgumentException if the sizes differ
     * @throws IllegalStateException if the batch is full
     */
    public void add(Shuffle shuffle, DeviceSlice source, DeviceSlice target, int elementBytes) {
        long bytes = source.byteSize();
        if (bytes != target.byteSize() || elementBytes <= 0) {
            throw new IllegalArgumentException(
                    bytes + " bytes to " + target.byteSize() + ", elements of " + elementBytes);
        }
        if (bytes == 0) {
            return;
        }
        boolean isCopy = shuffle == Shuffle.BITS && bytes / elementBytes % BITS != 0;
        if (isCopy) {
            write(Shuffle.BYTES, source, target, 1);
        } else {
            write(shuffle, source, target, elementBytes);
        }
    }

    private void write(Shuffle shuffle, DeviceSlice source, DeviceSlice target, int elementBytes) {
        long elements = source.byteSize() / elementBytes;
        long groups = shuffle == Shuffle.BITS ? elements / BITS : elements;
        long units = groups + source.byteSize() % elementBytes;
        MemorySegment descriptor = next();
        descriptor.set(JAVA_LONG, SOURCE, source.address());
        descriptor.set(JAVA_LONG, TARGET, target.address());
        descriptor.set(JAVA_LONG, BYTES, source.byteSize());
        descriptor.set(JAVA_LONG, UNIT_COUNT, units);
        descriptor.set(JAVA_INT, ELEMENT_BYTES, elementBytes);
        descriptor.set(JAVA_INT, MODE, shuffle.mode);
        append(descriptor, FIRST_TILE, units);
    }
}
