package io.zarrengine.zarr.execute;

import io.zarrengine.zarr.task.TaskRunner;
import io.zarrengine.zarr.task.WorkSource;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The sources that still hand out work. Stretches of shards that were begun come before new chunks,
 * because what was begun holds memory. Reads to memory that sinks lend are passed over while enough
 * of them are in flight.
 */
public final class WorkQueue {
    /**
     * Sources that a worker looks at. To look at more takes longer than a read. Sources behind them
     * wait for a drive.
     */
    private static final int LOOKS_MAX = 256;

    private final ConcurrentLinkedDeque<WorkSource> sources = new ConcurrentLinkedDeque<>();

    /** Adds a request after the others. */
    void addLast(WorkSource source) {
        sources.addLast(source);
    }

    /** Adds a part of a request before the others. */
    public void addFirst(WorkSource source) {
        sources.addFirst(source);
    }

    public boolean isEmpty() {
        return sources.isEmpty();
    }

    /** Fails and ends all that is left. */
    public void discard(Throwable cause) {
        for (WorkSource source = sources.peek(); source != null; source = sources.peek()) {
            source.discard(cause);
            sources.remove(source);
        }
    }

    /**
     * Hands all sources on, the last one first. A receiver that puts each before the others keeps
     * their order.
     */
    void drainTo(Consumer<WorkSource> others) {
        for (WorkSource last = sources.pollLast(); last != null; last = sources.pollLast()) {
            others.accept(last);
        }
    }

    /** {@return whether there is a source that may start, and need not wait for a drive} */
    boolean hasStartable(LentReads.Window lent) {
        return firstStartable(lent) != null;
    }

    private WorkSource firstStartable(LentReads.Window lent) {
        WorkSource first = sources.peek();
        if (first == null || !first.isToLentMemory() || lent.hasRoom()) {
            return first;
        }
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

    /** Starts the next bit of work of any source; false if none may start. */
    boolean startNext(TaskRunner runner, LentReads.Window lent) {
        for (WorkSource source = firstStartable(lent);
                source != null;
                source = firstStartable(lent)) {
            if (source.startNext(runner)) {
                return true;
            }
            sources.remove(source);
            if (source.hasNext()) {
                sources.addFirst(source);
            }
        }
        return false;
    }
}
