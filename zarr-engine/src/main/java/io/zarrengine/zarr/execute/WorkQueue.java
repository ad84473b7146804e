package io.zarrengine.zarr.execute;

import java.util.concurrent.ConcurrentLinkedDeque;

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

    /** Ends all that is left, where all requests have failed: nothing starts any more. */
    void discard() {
        boolean found = true;
        while (found) {
            found = startNext(null); // Of a request that has failed: it does not ask for a worker.
        }
    }

    /** Starts the next bit of work, whosever it is; false if there is none. */
    boolean startNext(TaskRunner runner) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            if (source.startNext(runner)) {
                return true;
            }
            sources.remove(source);
        }
        return false;
    }
}
