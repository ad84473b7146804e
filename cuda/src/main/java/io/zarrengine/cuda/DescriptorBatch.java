package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * What a batch for one of our kernels is: descriptors in host memory, and their work cut into tiles
 * that are numbered through.
 *
 * <p>Owner: the memory's. Threads: one at a time. Lent to: the device, from the upload until the
 * stream has passed it; then it may be filled again.
 */
public abstract sealed class DescriptorBatch permits PieceBatch, ShuffleBatch {
    /** What one block of threads does in one go; {@code unitsPerTile} in {@code kernels.cu}. */
    static final long UNITS_PER_TILE = 1024;

    private final MemorySegment memory;
    private final long descriptorBytes;
    private long count;
    private long tiles;

    DescriptorBatch(MemorySegment memory, long descriptorBytes) {
        if (memory.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("descriptors are aligned to 8 bytes");
        }
        this.memory = memory;
        this.descriptorBytes = descriptorBytes;
    }

    /** {@return how many descriptors there are} */
    public final long count() {
        return count;
    }

    /** {@return whether no further descriptor fits} */
    public final boolean isFull() {
        return (count + 1) * descriptorBytes > memory.byteSize();
    }

    /** {@return the descriptors, to be copied to the device} */
    public final MemorySegment descriptors() {
        return memory.asSlice(0, count * descriptorBytes);
    }

    /** Empties the batch. */
    public final void clear() {
        count = 0;
        tiles = 0;
    }

    final long tiles() {
        return tiles;
    }

    /** The next descriptor, all zero. It counts only after {@link #append}. */
    final MemorySegment next() {
        if (isFull()) {
            throw new IllegalStateException("the batch holds " + count + " descriptors already");
        }
        return memory.asSlice(count * descriptorBytes, descriptorBytes).fill((byte) 0);
    }

    /**
     * Another batch's descriptors, copied behind ours. They count only after {@link #appendAll}.
     */
    final MemorySegment nextAll(DescriptorBatch others) {
        MemorySegment added = others.descriptors();
        long begin = count * descriptorBytes;
        if (added.byteSize() > memory.byteSize() - begin) {
            throw new IllegalStateException(
                    "the batch holds %d descriptors, there is no room for %d more"
                            .formatted(count, others.count));
        }
        return memory.asSlice(begin, added.byteSize()).copyFrom(added);
    }

    final void appendAll(DescriptorBatch others) {
        count += others.count;
        tiles += others.tiles;
    }

    /** Numbers the tiles of the descriptor just filled. */
    final void append(MemorySegment descriptor, long firstTileOffset, long units) {
        descriptor.set(JAVA_LONG, firstTileOffset, tiles);
        tiles += (units + UNITS_PER_TILE - 1) / UNITS_PER_TILE;
        count++;
    }
}
