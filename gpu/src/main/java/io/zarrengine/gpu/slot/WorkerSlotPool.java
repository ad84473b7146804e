package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.DeviceOptions;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * The slots that workers fill for a device, and the queue of full slots. Owner: the device's
 * executor. Threads: any.
 */
public final class WorkerSlotPool {
    private final PinnedSlots pinned;
    private final List<SlotFill.Descriptors> descriptors; // by slot index
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
     * @param descriptors descriptor memory of each pinned slot
     * @param devices the number of devices that the engine has open
     * @param ahead counts the bytes that the device must decode
     * @param wakeForSlot notifies the device thread of a full slot
     */
    public WorkerSlotPool(
            PinnedSlots pinned,
            List<SlotFill.Descriptors> descriptors,
            DeviceOptions options,
            IntSupplier devices,
            ChunksAhead ahead,
            Runnable wakeForSlot) {
        this.pinned = pinned;
        this.descriptors = descriptors;
        this.options = options;
        this.devices = devices;
        this.ahead = ahead;
        this.wakeForSlot = wakeForSlot;
    }

    /** {@return the slot of the calling thread} */
    public WorkerSlot ofThread() {
        return slotOfThread.get();
    }

    /** {@return a new slot, for a caller that is not a worker} */
    public WorkerSlot newSlot() {
        WorkerSlot slot = new WorkerSlot(this::takeSlot, this::seal);
        all.add(slot);
        return slot;
    }

    /** Removes a slot. Sends its content to the device. */
    public void remove(WorkerSlot slot) {
        all.remove(slot);
        SlotFill open = slot.take();
        if (open != null) {
            seal(open);
        }
        slot.close();
    }

    /** Removes all slots. */
    public void removeAll() {
        all.forEach(this::remove);
    }

    /** Waits for a free slot. The device thread gives each slot back after its copy. */
    private SlotFill takeSlot() {
        PinnedSlots.Slot slot = pinned.take();
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

    /**
     * Takes the slots that workers began at least {@code nanos} ago. Returns false if there are
     * none.
     */
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
