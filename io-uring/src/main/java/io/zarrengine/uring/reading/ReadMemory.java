package io.zarrengine.uring.reading;

import io.zarrengine.bindings.NativeMemory;
import io.zarrengine.bindings.NativeMemoryError;
import java.lang.foreign.MemorySegment;

/**
 * The memory that a worker reads into, handed out in runs of slots.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
public final class ReadMemory implements AutoCloseable {
    private final NativeMemory memory;
    private final SlotRuns runs;

    /**
     * Allocates memory. With native access it begins at a page, and so does each run if a slot has
     * whole pages: direct reads need that. Without it every file is buffered.
     *
     * @param bytes how much; rounded up to whole slots
     * @param slotBytes the size of a slot: small enough not to waste much on a small read, large
     *     enough to need few of them
     * @throws NativeMemoryError if there is not that much
     */
    public ReadMemory(long bytes, int slotBytes) {
        int slots = SlotRuns.slotsOf(bytes, slotBytes);
        memory = NativeMemory.allocate((long) slots * slotBytes);
        runs = new SlotRuns(slots, slotBytes);
    }

    /** {@return all of it, to register with the kernel} */
    public MemorySegment segment() {
        return memory.segment();
    }

    /** {@return what is handed out now, in bytes of whole slots} */
    public long usedBytes() {
        return runs.usedBytes();
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
        return runs.take(bytes);
    }

    /**
     * Gives back what {@link #take} gave.
     *
     * @param offset where the run begins
     * @param bytes what was asked for
     */
    public void free(long offset, long bytes) {
        runs.free(offset, bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
