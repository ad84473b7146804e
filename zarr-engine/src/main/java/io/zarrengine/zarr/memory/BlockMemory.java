package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Native memory in blocks of power-of-two sizes (buddy system). A block is halved for a request as
 * long as a half is enough. A freed block is merged with its other half if that is free too, so
 * fragmentation does not last.
 *
 * <p>Owner: a cache. Threads: one at a time. Closing it ends all blocks.
 */
public final class BlockMemory implements AutoCloseable {
    private static final int ORDER_MIN = 6; // 64 bytes, a cache line of the CPU
    private static final int ORDER_MAX = Long.SIZE - 2;

    /** Maximum size: 128 GiB, because a {@link BitSet} numbers the blocks. */
    static final long BYTES_MAX = 1L << (Integer.SIZE - 1 + ORDER_MIN);

    private final NativeMemory memory;
    private final BitSet[] free = new BitSet[ORDER_MAX + 1]; // by order: numbers of free blocks

    /**
     * Reserves memory.
     *
     * @param bytes the most bytes that all blocks take together; of more than 128 GiB the rest is
     *     not used
     * @throws OutOfMemoryError if there is not that much
     */
    public BlockMemory(long bytes) {
        long usable = usableOf(bytes);
        memory = NativeMemory.allocate(usable); // Untouched pages take no memory.
        Arrays.setAll(free, order -> new BitSet());
        long at = 0;
        for (int order = ORDER_MAX; order >= ORDER_MIN; order--) {
            if ((usable & 1L << order) != 0) {
                free[order].set((int) (at >>> order));
                at += 1L << order;
            }
        }
    }

    static long usableOf(long bytes) {
        return Math.min(bytes, BYTES_MAX) & -(1L << ORDER_MIN);
    }

    /**
     * {@return reserved memory, or null if the machine has too little memory, or would touch all of
     * it}
     *
     * @param bytes maximum size of all blocks in bytes
     */
    public static BlockMemory tryReserve(long bytes) {
        if (NativeAccess.denial().isPresent()) {
            return null;
        }
        try {
            return new BlockMemory(bytes);
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    /** {@return the order of the smallest block of at least {@code bytes} bytes} */
    private static int order(long bytes) {
        return Math.max(ORDER_MIN, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
    }

    /** {@return the size of the smallest block of at least {@code bytes} bytes} */
    static long blockBytes(long bytes) {
        return 1L << order(bytes);
    }

    /**
     * Takes a block.
     *
     * @param bytes minimum size in bytes
     * @return its offset, or -1 if none is free
     */
    public long take(long bytes) {
        int wanted = order(bytes);
        int order = wanted;
        while (order <= ORDER_MAX && free[order].isEmpty()) {
            order++;
        }
        if (order > ORDER_MAX) {
            return -1;
        }
        int block = free[order].nextSetBit(0);
        free[order].clear(block);
        while (order > wanted) {
            order--;
            block *= 2;
            free[order].set(block + 1);
        }
        return (long) block << order;
    }

    /**
     * Frees a block that {@link #take} returned.
     *
     * @param offset offset of the block
     * @param bytes the size passed to {@link #take}
     */
    public void free(long offset, long bytes) {
        int order = order(bytes);
        int block = (int) (offset >>> order);
        while (free[order].get(block ^ 1)) {
            free[order].clear(block ^ 1);
            block >>>= 1;
            order++;
        }
        free[order].set(block);
    }

    /**
     * {@return the start of a block}
     *
     * @param offset offset of the block
     * @param bytes length in bytes
     */
    public MemorySegment block(long offset, long bytes) {
        return memory.segment().asSlice(offset, bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
