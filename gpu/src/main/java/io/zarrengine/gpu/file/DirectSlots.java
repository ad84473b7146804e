package io.zarrengine.gpu.file;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.GdsFile;
import io.zarrengine.cuda.GdsMemory;
import io.zarrengine.gpu.chunk.ResidentMemory;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.io.IOException;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Device memory into which workers read stretches of files directly, in slots of one size. A slot
 * is free again when the device has placed all wanted elements of it.
 *
 * <p>Owner: the code that opened it, on the device's thread; closed there. Threads: slots are
 * taken, filled and released by any.
 */
public final class DirectSlots implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** GPUDirect Storage reads whole blocks of a drive. Unaligned reads go through host memory. */
    private static final int ALIGNMENT = 4096;

    /** One slot for each of 16 threads to read into, and one that is being placed. */
    private static final int SLOTS_MAX = 32;

    /** The pause between two attempts to take a free slot. */
    private static final long SLOT_NANOS = 20_000;

    private final GdsMemory memory;
    private final int slotCount;
    private final long slotBytes;
    private final BlockingDeque<Slot> free;

    private DirectSlots(GdsMemory memory, int slotCount, long slotBytes) {
        this.memory = memory;
        this.slotCount = slotCount;
        this.slotBytes = slotBytes;
        this.free = new LinkedBlockingDeque<>(slotCount);
        for (int i = 0; i < slotCount; i++) {
            free.add(new Slot(i * slotBytes));
        }
    }

    /**
     * Allocates as many slots as fit in {@code bytesMax}, on the device's thread.
     *
     * @return null if not even one slot fits
     */
    public static DirectSlots open(CudaDevice device, DeviceOptions options, long bytesMax)
            throws CudaException {
        // A stretch of the size of a pinned slot fits wherever it begins in a file.
        long slotBytes = options.slotBytes() + 2L * ALIGNMENT;
        int slotCount = (int) Math.min(SLOTS_MAX, bytesMax / slotBytes);
        if (slotCount == 0) {
            return null;
        }
        GdsMemory memory = GdsMemory.allocate(device, slotCount * slotBytes);
        memory.refusal()
                .ifPresent(cause ->
                        LOGGER.log(
                                System.Logger.Level.WARNING,
                                "GPUDirect Storage goes by way of other device memory: "
                                        + cause.getMessage()));
        return new DirectSlots(memory, slotCount, slotBytes);
    }

    /** {@return the size of their device memory, in bytes} */
    public long bytes() {
        return slotCount * slotBytes;
    }

    /** {@return the longest stretch that a slot holds, in bytes} */
    public long stretchBytesMax() {
        return slotBytes - 2L * ALIGNMENT;
    }

    /** Returns whether at most half of the slots are free. */
    public boolean areScarce() {
        return 2 * free.size() <= slotCount;
    }

    /** Waits for a slot. The caller is its only user. */
    public Slot take() {
        Slot slot = free.poll();
        while (slot == null) {
            LockSupport.parkNanos(SLOT_NANOS);
            slot = free.poll();
        }
        slot.users.set(1);
        return slot;
    }

    /** A stretch of a file, in device memory. */
    public final class Slot implements ResidentMemory {
        private final long begin; // in the memory
        private final AtomicInteger users = new AtomicInteger();
        private long before; // bytes that were read before the stretch

        private Slot(long begin) {
            this.begin = begin;
        }

        /**
         * Reads a stretch of at most {@link #stretchBytesMax} bytes. All of it must lie in the
         * file.
         *
         * @throws IOException if it cannot be read
         */
        public void read(GdsFile file, long fileBytes, long offset, long bytes) throws IOException {
            long from = offset & -ALIGNMENT;
            long to = Math.min(fileBytes, (offset + bytes + ALIGNMENT - 1) & -ALIGNMENT);
            before = offset - from;
            file.read(from, memory, begin, to - from);
        }

        @Override
        public DeviceSlice slice(long at, long bytes) {
            return memory.slice().slice(begin + before + at, bytes);
        }

        @Override
        public void retain() {
            users.incrementAndGet();
        }

        @Override
        public void release() {
            if (users.decrementAndGet() == 0) {
                free.addFirst(this);
            }
        }
    }

    @Override
    public void close() {
        try {
            memory.close();
        } catch (IllegalStateException e) { // not freed, because cuFile may still use it
            LOGGER.log(System.Logger.Level.ERROR, "cuFile keeps memory: " + e.getMessage());
        }
    }
}
