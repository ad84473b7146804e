package io.zarrengine.gpu.slot;

import io.zarrengine.cuda.AwaitedEvents;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.PinnedSlots;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Copies to or from slots in one stream, each with a future that its caller waits for. Owner: a
 * pump.
 */
public final class SlotCopies {
    /** Queues a copy. */
    public interface Copy {
        public void queue(CudaStream stream) throws CudaException;
    }

    private final CudaStream stream;
    private final List<CudaEvent> slotEvents;
    private final AwaitedEvents copies = new AwaitedEvents();

    /** {@code slotEvents} has one event for each slot, recorded after the slot's copy. */
    public SlotCopies(CudaStream stream, List<CudaEvent> slotEvents) {
        this.stream = stream;
        this.slotEvents = slotEvents;
    }

    public boolean isEmpty() {
        return copies.isEmpty();
    }

    /** Queues a copy after the others. */
    public void queue(PinnedSlots.Slot slot, CompletableFuture<Void> done, Copy copy)
            throws CudaException {
        copy.queue(stream);
        CudaEvent event = slotEvents.get(slot.index());
        event.record(stream);
        copies.add(event, done);
    }

    /** Completes the futures of the copies that are done. Returns false if none is. */
    public boolean complete() throws CudaException {
        return copies.complete();
    }

    /** Fails the futures of all copies. */
    public void fail(Throwable cause) {
        copies.fail(cause);
    }
}
