package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The sources that still hand out work. Stretches of shards that have begun come before new chunks,
 * because those shards hold memory. While enough reads to lent memory are under way, the queue
 * passes over the sources of such reads.
 *
 * <p>Threads: any.
 */
public final class WorkQueue {
    /**
     * The largest number of sources that one search looks at: to look at more takes longer than a
     * read. Sources behind them wait, as they would in the order of the queue.
     */
    private static final int LOOKS_MAX = 256;

    private final ConcurrentLinkedDeque<WorkSource> sources = new ConcurrentLinkedDeque<>();

    /** Adds a request, behind the others. */
    void addLast(WorkSource source) {
        sources.addLast(source);
    }

    /** Adds a part of a request, before the others. */
    public void addFirst(WorkSource source) {
        sources.addFirst(source);
    }

    public boolean isEmpty() {
        return sources.isEmpty();
    }

    private void putBack(WorkSource source) {
        try {
            sources.addFirst(source);
        } catch (OutOfMemoryError e) { // No other object refers to the source.
            source.discard(e);
        }
    }

    /** Fails and ends all sources, so that nothing of them starts any more. Allocates nothing. */
    public void discard(Throwable cause) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            source.discard(cause);
            sources.remove(source);
        }
    }

    /**
     * Moves all sources to a receiver, the last one first. The order stays the same if the receiver
     * adds each source before the others.
     */
    void drainTo(Consumer<WorkSource> others) {
        for (WorkSource last = sources.peekLast(); last != null; last = sources.peekLast()) {
            others.accept(last);
            sources.removeLastOccurrence(last); // If accept() throws, the source is still here.
        }
    }

    /** {@return whether a source may start work now} */
    boolean hasStartable(LentReads.Window lent) {
        return firstStartable(lent) != null;
    }

    private WorkSource firstStartable(LentReads.Window lent) {
        WorkSource first = sources.peek();
        if (first == null || !first.isToLentMemory() || lent.hasRoom()) {
            return first;
        }
        try {
            return firstOfOthers();
        } catch (OutOfMemoryError e) { // There is no memory for an iterator.
            return null;
        }
    }

    private WorkSource firstOfOthers() {
        int looks = LOOKS_MAX;
        for (WorkSource source : sources) {
            if (!source.isToLentMemory()) {
                return source;
            }
            looks--;
            if (looks == 0) {
                return null;
            }
        }
        return null;
    }

    /** Starts the next work of any source; returns false if no source may start any. */
    boolean startNext(TaskRunner runner, LentReads.Window lent) {
        for (WorkSource source = firstStartable(lent);
                source != null;
                source = firstStartable(lent)) {
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
