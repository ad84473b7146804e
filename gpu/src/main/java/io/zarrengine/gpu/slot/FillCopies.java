package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import java.util.ArrayDeque;
import java.util.List;

/** Slots that are being copied to batches, in order. Owner: a pump. */
public final class FillCopies {
    private final ArrayDeque<SlotFill> fills = new ArrayDeque<>();
    private final List<CudaEvent> slotEvents;

    /** {@code slotEvents} has one event for each slot, recorded after the slot's copies. */
    public FillCopies(List<CudaEvent> slotEvents) {
        this.slotEvents = slotEvents;
    }

    public boolean isEmpty() {
        return fills.isEmpty();
    }

    /** Adds a slot whose copies are queued after those of the other slots. */
    public void add(SlotFill fill) {
        fills.add(fill);
    }

    /** {@return the bytes of all slots but the first, which may be done soon} */
    public long bytesAhead() {
        long bytes = fills.isEmpty() ? 0 : -fills.peek().bytesToCopy();
        for (SlotFill fill : fills) {
            bytes += fill.bytesToCopy();
        }
        return bytes;
    }

    /** {@return the number of chunks in all slots} */
    public long chunks() {
        return fills.stream().mapToLong(fill -> fill.entries().size()).sum();
    }

    /** Gives back the slots whose copies are done. Returns false if none is. */
    public boolean release() throws CudaException {
        boolean moved = false;
        while (!fills.isEmpty() && slotEvents.get(fills.peek().slot().index()).isDone()) {
            fills.remove().copied();
            moved = true;
        }
        return moved;
    }

    /** Gives back all slots. Their copies are done, or will never be. */
    public void drop() {
        while (!fills.isEmpty()) {
            fills.remove().copied();
        }
    }
}
