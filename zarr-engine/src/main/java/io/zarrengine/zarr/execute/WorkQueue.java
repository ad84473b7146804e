package io.zarrengine.zarr.execute;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The sources that still hand out work. Stretches of shards that were begun come before new chunks:
 * what was begun holds memory.
 */
final class WorkQueue {
    private final ConcurrentLinkedDeque<WorkSource> sources = new ConcurrentLinkedDeque<>();

    /** Adds a request, behind the others. */
    void addLast(WorkSource source) {
        sources.addLast(source);
    }

    /** Adds a part of a request, before the others. */
    void addFirst(WorkSource source) {
        sources.addFirst(source);
    }

    boolean isEmpty() {
        return sources.isEmpty();
    }

    private void putBack(WorkSource source) {
        try {
            sources.addFirst(source);
        } catch (OutOfMemoryError e) { // Nobody else knows it.
            source.discard(e);
        }
    }

    /**
     * Has all that is left fail, and ends it: nothing starts any more. It takes no list, no node.
     */
    void discard(Throwable cause) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            source.discard(cause);
            sources.remove(source);
        }
    }

    /**
     * Hands all sources on, the last one first: who puts each before the others keeps the order.
     */
    void drainTo(Consumer<WorkSource> others) {
        for (WorkSource last = sources.peekLast(); last != null; last = sources.peekLast()) {
            others.accept(last);
            sources.removeLastOccurrence(
                    last); // Afterwards: if there is no memory, it is still here.
        }
    }

    /** Starts the next bit of work, whosever it is; false if there is none. */
    boolean startNext(TaskRunner runner) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            if (source.startNext(runner)) {
                return true;
            }
            sources.remove(source);
            if (source.hasNext()) {
                putBack(source);
            }
        }
        return false;
    }
}
