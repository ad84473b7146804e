package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/** Copies to or from slots that somebody waits for, those of one stream. Owner: a pump. */
final class SlotCopies {
    private record SlotCopy(CudaEvent event, CompletableFuture<Void> done) {}

    private final ArrayDeque<SlotCopy> copies = new ArrayDeque<>();

    boolean isEmpty() {
        return copies.isEmpty();
    }

    /** Adds one that is queued behind the others; its event is recorded. */
    void add(CudaEvent event, CompletableFuture<Void> done) {
        copies.add(new SlotCopy(event, done));
    }

    /** Tells who waits for those that are done; false if none is. */
    boolean complete() throws CudaException {
        boolean moved = false;
        while (!copies.isEmpty() && copies.peek().event.isDone()) {
            copies.remove().done.complete(null);
            moved = true;
        }
        return moved;
    }

    /** Tells all who wait that nothing becomes of it. */
    void fail(Throwable cause) {
        while (!copies.isEmpty()) {
            copies.remove().done.completeExceptionally(cause);
        }
    }
}
