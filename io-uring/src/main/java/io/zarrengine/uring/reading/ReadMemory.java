package io.zarrengine.uring.reading;

import io.zarrengine.bindings.NativeMemory;
import java.lang.foreign.MemorySegment;

/**
 * The memory that a worker reads into, allocated in runs of slots.
 *
 * <p>Owner: one worker. Lent to the kernel: each run, from its read until its completion.
 */
public final class ReadMemory implements AutoCloseable {
    private final NativeMemory memory;
    private final SlotRuns runs;

    /**
     * Allocates memory. With native access it begins at a page boundary, and so does each run if a
     * slot has whole pages, as direct reads need. Without native access every file is buffered.
     *
     * @param bytes size in bytes; rounded up to whole slots
     * @param slotBytes the size of a slot: small enough not to waste much on a small read, large
     *     enough to need few of them
     * @throws OutOfMemoryError if the memory is not available
     */
    public ReadMemory(long bytes, int slotBytes) {
        int slots = SlotRuns.slotsOf(bytes, slotBytes);
        memory = NativeMemory.allocate((long) slots * slotBytes);
        runs = new SlotRuns(slots, slotBytes);
    }

    /** {@return all of the memory, to register with the kernel} */
    public MemorySegment segment() {
        return memory.segment();
    }

    /** {@return the memory in use, in bytes of whole slots} */
    public long usedBytes() {
        return runs.usedBytes();
    }

    /** {@return the largest read that should use this memory, so that several fit at once} */
    public long readBytesMax() {
        return segment().byteSize() / 4;
    }

    /**
     * {@return the longest stretch that needs a read of at most {@link #readBytesMax}, wherever it
     * begins}
     *
     * @param alignment of the file's reads, in bytes
     */
    public long stretchBytesMax(int alignment) {
        return readBytesMax() - (alignment - 1);
    }

    /**
     * {@return the offset of a run, in bytes, or -1 if no run is free now}
     *
     * @param bytes least length of the run
     */
    public long take(long bytes) {
        return runs.take(bytes);
    }

    /**
     * Frees a run from {@link #take}.
     *
     * @param offset of the run
     * @param bytes the length passed to {@code take}
     */
    public void free(long offset, long bytes) {
        runs.free(offset, bytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
