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
 * Device memory that workers have stretches of files read to, in slots of one size. A slot is free
 * again when the device has put all that is wanted of it in its place.
 *
 * <p>Owner: who opened it, on the device's thread; closed there. Threads: slots are taken, filled
 * and released by any.
 */
public final class DirectSlots implements AutoCloseable {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** GPUDirect Storage reads whole blocks of a drive; others go by way of the host. */
    private static final int ALIGNMENT = 4096;

    /** One that each of 16 threads reads to, while what they read before is placed. */
    private static final int SLOTS_MAX = 32;

    /** Between two looks for a free slot. */
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
     * Allocates as many slots as fit some memory, on the device's thread.
     *
     * @return null if not even one does
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

    /** {@return the device memory that they take} */
    public long bytes() {
        return slotCount * slotBytes;
    }

    /** {@return the longest stretch that a slot holds, in bytes} */
    public long stretchBytesMax() {
        return slotBytes - 2L * ALIGNMENT;
    }

    /** Whether no more slots are left than the device could give back. */
    public boolean areScarce() {
        return 2 * free.size() <= slotCount;
    }

    /** Waits for a slot, which has one user: the caller. */
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
        private long before; // bytes that were read of the block that the stretch begins in

        private Slot(long begin) {
            this.begin = begin;
        }

        /**
         * Reads a stretch, at most {@link #stretchBytesMax} long, which the file must hold all of.
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
        } catch (IllegalStateException e) { // Given up rather than freed under cuFile's hands.
            LOGGER.log(System.Logger.Level.ERROR, "cuFile keeps memory: " + e.getMessage());
        }
    }
}
