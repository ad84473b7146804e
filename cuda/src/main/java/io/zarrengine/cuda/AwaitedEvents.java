package io.zarrengine.cuda;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * Events of one stream in their order, each with a future that its caller waits for. Threads: the
 * device's.
 */
public final class AwaitedEvents {
    private record Awaited(CudaEvent event, CompletableFuture<Void> done) {}

    private final ArrayDeque<Awaited> events = new ArrayDeque<>();

    /** Creates an empty queue. */
    public AwaitedEvents() {
        // The field is set above.
    }

    /** {@return whether no event is awaited} */
    public boolean isEmpty() {
        return events.isEmpty();
    }

    /**
     * Adds an event after the others. Its owner keeps it open until the future completes.
     *
     * @param event recorded in the stream, or recorded next
     * @param done completes when the stream has passed the event
     */
    public void add(CudaEvent event, CompletableFuture<Void> done) {
        events.add(new Awaited(event, done));
    }

    /**
     * Completes the futures of the events that the stream has passed.
     *
     * @return false if there is none
     * @throws CudaException if the work before an event failed
     */
    public boolean complete() throws CudaException {
        boolean moved = false;
        while (!events.isEmpty() && events.peek().event.isDone()) {
            events.remove().done.complete(null);
            moved = true;
        }
        return moved;
    }

    /**
     * Fails all futures.
     *
     * @param cause of the failure
     */
    public void fail(Throwable cause) {
        while (!events.isEmpty()) {
            events.remove().done.completeExceptionally(cause);
        }
    }
}
