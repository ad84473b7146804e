package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.PinnedRing;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Copies to or from slots that somebody waits for, in one stream. Owner: a pump. */
public final class SlotCopies {
    /** Queues a copy. */
    public interface Copy {
        public void queue(CudaStream stream) throws CudaException;
    }

    private record SlotCopy(CudaEvent event, CompletableFuture<Void> done) {}

    private final CudaStream stream;
    private final List<CudaEvent> slotEvents;
    private final ArrayDeque<SlotCopy> copies = new ArrayDeque<>();

    /** {@code slotEvents}: of each slot, recorded behind its copy. */
    public SlotCopies(CudaStream stream, List<CudaEvent> slotEvents) {
        this.stream = stream;
        this.slotEvents = slotEvents;
    }

    public boolean isEmpty() {
        return copies.isEmpty();
    }

    /** Queues one behind the others. */
    public void queue(PinnedRing.Slot slot, CompletableFuture<Void> done, Copy copy)
            throws CudaException {
        copy.queue(stream);
        CudaEvent event = slotEvents.get(slot.index());
        event.record(stream);
        copies.add(new SlotCopy(event, done));
    }

    /** Tells who waits for those that are done; false if none is. */
    public boolean complete() throws CudaException {
        boolean moved = false;
        while (!copies.isEmpty() && copies.peek().event.isDone()) {
            copies.remove().done.complete(null);
            moved = true;
        }
        return moved;
    }

    /** Tells all who wait that nothing becomes of it. */
    public void fail(Throwable cause) {
        while (!copies.isEmpty()) {
            copies.remove().done.completeExceptionally(cause);
        }
    }
}
