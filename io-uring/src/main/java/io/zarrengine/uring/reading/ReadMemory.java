package io.zarrengine.uring.reading;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The memory that a worker reads into, handed out in runs of slots. The first run that fits is
 * taken, so that few bytes in flight stay in the cache.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
public final class ReadMemory implements AutoCloseable {
    private final NativeMemory memory;
    private final int slotBytes;
    private final int slots;
    private final BitSet used = new BitSet();
    private long usedBytes;

    /**
     * Allocates memory. With native access it begins at a page, and so does each run if a slot has
     * whole pages: direct reads need that. Without it every file is buffered.
     *
     * @param bytes how much; rounded up to whole slots
     * @param slotBytes the size of a slot: small enough not to waste much on a small read, large
     *     enough to need few of them
     * @throws OutOfMemoryError if there is not that much
     */
    public ReadMemory(long bytes, int slotBytes) {
        this.slotBytes = slotBytes;
        slots = slotsOf(bytes);
        memory = NativeMemory.allocate((long) slots * slotBytes);
    }

    /** {@return all of it, to register with the kernel} */
    public MemorySegment segment() {
        return memory.segment();
    }

    /** {@return what is handed out now, in bytes of whole slots} */
    public long usedBytes() {
        return usedBytes;
    }

    /** {@return the largest read that should go here: a few of them fit at once} */
    public long readBytesMax() {
        return segment().byteSize() / 4;
    }

    /**
     * {@return the longest stretch that is a read of at most {@link #readBytesMax} wherever it
     * begins}
     *
     * @param alignment of the file's reads, in bytes
     */
    public long stretchBytesMax(int alignment) {
        return readBytesMax() - (alignment - 1);
    }

    /**
     * {@return where a run begins, in bytes, or -1 if there is none now}
     *
     * @param bytes how long it is at least
     */
    public long take(long bytes) {
        int wanted = slotsOf(bytes);
        int from = used.nextClearBit(0);
        while (from + wanted <= slots) {
            int end = used.nextSetBit(from);
            if (end < 0 || end - from >= wanted) {
                used.set(from, from + wanted);
                usedBytes += (long) wanted * slotBytes;
                return (long) from * slotBytes;
            }
            from = used.nextClearBit(end);
        }
        return -1;
    }

    /**
     * Gives back what {@link #take} gave.
     *
     * @param offset where the run begins
     * @param bytes what was asked for
     */
    public void free(long offset, long bytes) {
        int from = (int) (offset / slotBytes);
        int freed = slotsOf(bytes);
        used.clear(from, from + freed);
        usedBytes -= (long) freed * slotBytes;
    }

    private int slotsOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, slotBytes));
    }

    @Override
    public void close() {
        memory.close();
    }
}
