package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The sources that still hand out work. Stretches of shards under way come before new chunks,
 * because they hold memory. Reads to memory that sinks lend are passed over while enough of them
 * are under way.
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

    /** Fails and ends all sources that are left, so nothing starts any more. Allocates nothing. */
    public void discard(Throwable cause) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            source.discard(cause);
            sources.remove(source);
        }
    }

    /**
     * Hands all sources on, the last one first. A receiver that adds each before the others keeps
     * the order.
     */
    void drainTo(Consumer<WorkSource> others) {
        for (WorkSource last = sources.peekLast(); last != null; last = sources.peekLast()) {
            others.accept(last);
            sources.removeLastOccurrence(
                    last); // Afterwards: if there is no memory, it is still here.
        }
    }

    /** {@return whether there is a source that may start and need not wait} */
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

    /** Starts the next bit of work of any source; returns false if none may start. */
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
