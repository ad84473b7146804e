package io.zarrengine.zarr.execute;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * The memory that a worker reads into, handed out in runs of slots. The slot that was freed last
 * and lies first is used again first: it is still in the cache.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
final class ReadMemory implements AutoCloseable {
    /** Small enough not to waste much on a small read, large enough to need few of them. */
    private static final int SLOT_BYTES = 32 << 10;

    private final NativeMemory memory;
    private final int slots;
    private final BitSet used = new BitSet();

    ReadMemory(long bytes) {
        long rounded = Math.ceilDiv(bytes, SLOT_BYTES) * SLOT_BYTES;
        memory = NativeMemory.allocate(rounded);
        slots = Math.toIntExact(rounded / SLOT_BYTES);
    }

    /** {@return all of it, to register with the kernel} */
    MemorySegment memory() {
        return memory.segment();
    }

    /** {@return the largest read that should go here: a few of them fit at once} */
    long readBytesMax() {
        return memory.segment().byteSize() / 4;
    }

    /**
     * {@return the longest stretch that is a read of at most {@link #readBytesMax} wherever it
     * begins}
     *
     * @param alignment of the file's reads, in bytes
     */
    long stretchBytesMax(int alignment) {
        return readBytesMax() - (alignment - 1);
    }

    /** {@return where a run of at least {@code bytes} begins, or -1 if there is none now} */
    long take(long bytes) {
        int wanted = slotsOf(bytes);
        int from = used.nextClearBit(0);
        while (from + wanted <= slots) {
            int end = used.nextSetBit(from);
            if (end < 0 || end - from >= wanted) {
                used.set(from, from + wanted);
                return (long) from * SLOT_BYTES;
            }
            from = used.nextClearBit(end);
        }
        return -1;
    }

    /** Gives back what {@link #take} gave. */
    void free(long offset, long bytes) {
        int from = (int) (offset / SLOT_BYTES);
        used.clear(from, from + slotsOf(bytes));
    }

    private static int slotsOf(long bytes) {
        return Math.toIntExact(Math.ceilDiv(bytes, SLOT_BYTES));
    }

    @Override
    public void close() {
        memory.close();
    }
}
