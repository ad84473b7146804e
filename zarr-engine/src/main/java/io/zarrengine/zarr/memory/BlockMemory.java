package io.zarrengine.zarr.memory;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Native memory in blocks whose sizes are powers of two, the buddy system: a block that is taken is
 * halved as long as a half is enough, and one that is given back joins its other half if that is
 * free too. So it does not matter for long which sizes were kept before.
 *
 * <p>Owner: a cache. Threads: one at a time. Blocks end with it.
 */
public final class BlockMemory implements AutoCloseable {
    private static final int ORDER_MIN = 6; // 64 bytes, a line of the processor's cache
    private static final int ORDER_MAX = Long.SIZE - 2;

    /** 128 GiB: blocks are numbered in a {@link BitSet}. */
    static final long BYTES_MAX = 1L << (Integer.SIZE - 1 + ORDER_MIN);

    private final NativeMemory memory;
    private final BitSet[] free = new BitSet[ORDER_MAX + 1]; // by order: numbers of free blocks

    /**
     * Reserves memory; all of it is free.
     *
     * @param bytes what all blocks take together, at most; of more than 128 GiB the rest is not
     *     used
     * @throws NativeMemoryError if there is not that much
     */
    public BlockMemory(long bytes) {
        long usable = usableOf(bytes);
        memory = NativeMemory.allocate(usable); // Pages that are never touched cost nothing.
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
     * {@return reserved memory, or null if the machine has not so much, or would touch all of it}
     *
     * @param bytes what all blocks take together, at most
     */
    public static BlockMemory tryReserve(long bytes) {
        if (NativeAccess.denial().isPresent()) {
            return null;
        }
        try {
            return new BlockMemory(bytes);
        } catch (NativeMemoryError e) {
            return null;
        }
    }

    /** {@return the order of the smallest block that holds so many bytes} */
    private static int order(long bytes) {
        return Math.max(ORDER_MIN, Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
    }

    /** {@return the size of the smallest block that holds so many bytes} */
    static long blockBytes(long bytes) {
        return 1L << order(bytes);
    }

    /**
     * {@return where a block begins, or -1 if there is none now}
     *
     * @param bytes its size, at least
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
     * Gives back what {@link #take} gave.
     *
     * @param offset where the block begins
     * @param bytes for which it was taken
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
     * {@return the front of a block}
     *
     * @param offset where the block begins
     * @param bytes how much of it
     */
    public MemorySegment block(long offset, long bytes) {
        return memory.segment().asSlice(offset, bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
