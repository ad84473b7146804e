package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * The slots that workers fill for a device, and those that are full. Owner: the device's executor.
 * Threads: any.
 */
public final class WorkerSlotPool {
    private final PinnedRing ring;
    private final List<SlotFill.Descriptors> descriptors; // by slot
    private final DeviceOptions options;
    private final IntSupplier devices;
    private final ChunksAhead ahead;
    private final Runnable wakeForSlot;
    private final ThreadLocal<WorkerSlot> slotOfThread = ThreadLocal.withInitial(this::newSlot);
    private final List<WorkerSlot> all = new CopyOnWriteArrayList<>();
    private final Queue<SlotFill> sealed = new ConcurrentLinkedQueue<>();

    /**
     * Begins without slots.
     *
     * @param descriptors memory of each slot of the ring
     * @param devices how many the engine has open
     * @param ahead is told how much the device is to decode
     * @param wakeForSlot tells the device's thread of a full slot
     */
    public WorkerSlotPool(
            PinnedRing ring,
            List<SlotFill.Descriptors> descriptors,
            DeviceOptions options,
            IntSupplier devices,
            ChunksAhead ahead,
            Runnable wakeForSlot) {
        this.ring = ring;
        this.descriptors = descriptors;
        this.options = options;
        this.devices = devices;
        this.ahead = ahead;
        this.wakeForSlot = wakeForSlot;
    }

    /** {@return the calling thread's} */
    public WorkerSlot ofThread() {
        return slotOfThread.get();
    }

    /** {@return one more, for whoever has no thread of his own} */
    public WorkerSlot newSlot() {
        WorkerSlot slot = new WorkerSlot(this::takeSlot, this::seal);
        all.add(slot);
        return slot;
    }

    /** Gives it up; what it holds is sent. */
    public void remove(WorkerSlot slot) {
        all.remove(slot);
        SlotFill open = slot.take();
        if (open != null) {
            seal(open);
        }
        slot.close();
    }

    /** Gives all up. */
    public void removeAll() {
        all.forEach(this::remove);
    }

    /** Waits for a free slot: the device gives each back after its copy. */
    private SlotFill takeSlot() {
        PinnedRing.Slot slot = ring.take();
        return new SlotFill(
                slot,
                BatchLoad.ofSlot(options),
                descriptors.get(slot.index()),
                devices.getAsInt(),
                ahead);
    }

    private void seal(SlotFill fill) {
        sealed.add(fill);
        wakeForSlot.run();
    }

    /** {@return the next full slot, or null} */
    public SlotFill nextSealed() {
        return sealed.poll();
    }

    /** Takes what the workers have begun so long ago at least; false if there is nothing. */
    public boolean steal(long nanos) {
        boolean found = false;
        long now = System.nanoTime();
        for (WorkerSlot slot : all) {
            SlotFill fill = slot.steal(now, nanos);
            if (fill != null) {
                sealed.add(fill);
                found = true;
            }
        }
        return found;
    }
}
