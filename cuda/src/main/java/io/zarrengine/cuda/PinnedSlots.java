package io.zarrengine.cuda;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Pinned memory in slots of one size. A read fills a slot, a copy brings it to the device, and the
 * slot is free again. The last freed slot is taken next, because memory that is still in a cache is
 * written faster.
 *
 * <p>Owner: the code that opened it, on the device's thread; closed there. Threads: slots are
 * taken, filled and given back by any.
 */
public final class PinnedSlots implements AutoCloseable {
    /**
     * A slot. Its owner is the code that took it.
     *
     * <p>{@link #close} gives it back. That is allowed only after the copy from it is done and its
     * bytes are not needed again (the CPU decodes a chunk that fails on the device from here).
     */
    public final class Slot implements AutoCloseable {
        private final int index;
        private final MemorySegment segment;
        private final AtomicBoolean taken = new AtomicBoolean();

        private Slot(int index, MemorySegment segment) {
            this.index = index;
            this.segment = segment;
        }

        /** {@return its index, from 0} */
        public int index() {
            return index;
        }

        /** {@return its memory} */
        public MemorySegment segment() {
            return segment;
        }

        /**
         * Gives the slot back.
         *
         * @throws IllegalStateException if it was given back before, because two users would then
         *     write to it
         */
        @Override
        public void close() {
            if (!taken.compareAndSet(true, false)) {
                throw new IllegalStateException("slot " + index + " is free already");
            }
            free.addFirst(this);
        }

        private Slot take() {
            boolean wasFree = taken.compareAndSet(false, true);
            assert wasFree : "slot " + index + " is taken";
            return this;
        }
    }

    private final AutoCloseable memory;
    private final int slotCount;
    private final BlockingDeque<Slot> free; // last used first

    /** Divides memory into slots. */
    PinnedSlots(MemorySegment segment, AutoCloseable memory, int slots) {
        this.memory = memory;
        this.slotCount = slots;
        this.free = new LinkedBlockingDeque<>(slots);
        long slotBytes = segment.byteSize() / slots;
        IntStream.range(0, slots)
                .mapToObj(i -> new Slot(i, segment.asSlice(i * slotBytes, slotBytes)))
                .forEach(free::add);
    }

    /**
     * Opens slots, all free.
     *
     * @param device the device that copies from it; called on its thread
     * @param slots number of slots
     * @param slotBytes size of each slot in bytes, a multiple of 4096 (O_DIRECT)
     * @return the slots, owned by the caller
     * @throws IOException if the memory cannot be allocated or pinned
     */
    public static PinnedSlots open(CudaDevice device, int slots, long slotBytes)
            throws IOException {
        if (slots <= 0 || slotBytes <= 0 || slotBytes % 4096 != 0) {
            throw new IllegalArgumentException(slots + " slots of " + slotBytes + " bytes");
        }
        PinnedMemory memory = PinnedMemory.open(device, Math.multiplyExact(slots, slotBytes));
        try {
            return new PinnedSlots(memory.segment(), memory, slots);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            memory.close();
            throw t;
        }
    }

    /** {@return the number of slots} */
    public int slotCount() {
        return slotCount;
    }

    /** {@return the number of free slots at this moment} */
    public int freeCount() {
        return free.size();
    }

    /** {@return a free slot, or empty if there is none} */
    public Optional<Slot> tryTake() {
        return Optional.ofNullable(free.poll()).map(Slot::take);
    }

    /** {@return a free slot} Waits for one, even if interrupted; the thread stays interrupted. */
    public Slot take() {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return free.take().take();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Closes the slots and their memory.
     *
     * @throws IllegalStateException if a slot is taken, because the device or the kernel may write
     *     to it
     */
    @Override
    public void close() {
        if (free.size() != slotCount) {
            throw new IllegalStateException(
                    (slotCount - free.size()) + " of " + slotCount + " slots are taken");
        }
        try {
            memory.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) { // PinnedMemory throws no other
            throw new AssertionError(e);
        }
    }
}
