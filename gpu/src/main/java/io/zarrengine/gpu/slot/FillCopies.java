package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import java.util.ArrayDeque;
import java.util.List;

/** Slots that are being copied to batches, one after another. Owner: a pump. */
public final class FillCopies {
    private final ArrayDeque<SlotFill> fills = new ArrayDeque<>();
    private final List<CudaEvent> slotEvents;

    /** {@code slotEvents}: of each slot, recorded behind its copies. */
    public FillCopies(List<CudaEvent> slotEvents) {
        this.slotEvents = slotEvents;
    }

    public boolean isEmpty() {
        return fills.isEmpty();
    }

    /** Adds one that is queued behind the others. */
    public void add(SlotFill fill) {
        fills.add(fill);
    }

    /** {@return bytes behind the first slot, which may be done soon} */
    public long bytesAhead() {
        long bytes = fills.isEmpty() ? 0 : -fills.peek().bytesToCopy();
        for (SlotFill fill : fills) {
            bytes += fill.bytesToCopy();
        }
        return bytes;
    }

    /** {@return chunks in all of them} */
    public long chunks() {
        return fills.stream().mapToLong(fill -> fill.entries().size()).sum();
    }

    /** Gives back those that are done; false if none is. */
    public boolean release() throws CudaException {
        boolean moved = false;
        while (!fills.isEmpty() && slotEvents.get(fills.peek().slot().index()).isDone()) {
            fills.remove().copied();
            moved = true;
        }
        return moved;
    }

    /** Gives all back: they are done, or never will be. */
    public void drop() {
        while (!fills.isEmpty()) {
            fills.remove().copied();
        }
    }
}
