package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The sources that still hand out work. Stretches of shards that were begun come before new chunks:
 * what was begun holds memory. What is read to memory that sinks lend is passed over while enough
 * of that is under way.
 */
public final class WorkQueue {
    /**
     * Who looks further spends longer on that than on a read. What lies behind waits for a drive,
     * as it would in turn.
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
        } catch (OutOfMemoryError e) { // Nobody else knows it.
            source.discard(e);
        }
    }

    /**
     * Has all that is left fail, and ends it: nothing starts any more. It takes no list, no node.
     */
    public void discard(Throwable cause) {
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

    /** {@return whether there is a source that may start: none that has to wait} */
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
        } catch (OutOfMemoryError e) { // Of an iterator: as if there were none.
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

    /** Starts the next bit of work, whosever it is; false if there is none that may start. */
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
