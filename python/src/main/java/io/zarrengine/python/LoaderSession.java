package io.zarrengine.python;

import io.zarrengine.zarr.Selection;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderState;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A loader that Python takes batches from. Python waits for a batch as for a read, so that it sees
 * its signals meanwhile. One virtual thread at a time takes batches. Owner: Python, until {@link
 * #close}. Threads: any.
 */
final class LoaderSession implements AutoCloseable {
    private final Loader<?> loader;
    private final List<GivenSamples> given;
    private final Object turn = new Object(); // held while the loader is used
    private volatile Take last; // null before the first one

    /** Takes a loader, and the samples that Python gives, of each of its arrays or of none. */
    LoaderSession(Loader<?> loader, List<GivenSamples> given) {
        this.loader = loader;
        this.given = List.copyOf(given);
    }

    /** Adds the next samples of an array, and forgets those before a number. */
    void give(int array, long firstKept, List<Selection> samples) {
        given.get(array).add(firstKept, samples);
    }

    /** The next batch, which is under way. Cancelling interrupts it; the step remains the next. */
    private static final class Take extends CompletableFuture<Batch<?>> {
        private Thread thread;

        @Override
        public boolean cancel(boolean mayInterrupt) {
            thread.interrupt();
            return false;
        }
    }

    /**
     * Begins to take the next batch; its result is null after the last one. A batch that is ready
     * is taken at once: two changes of threads take longer than a small batch.
     */
    CompletableFuture<Batch<?>> take() {
        Take take = new Take();
        if (isReady()) {
            complete(take);
            return take;
        }
        take.thread = Thread.ofVirtual().unstarted(() -> complete(take));
        last = take;
        take.thread.start();
        return take;
    }

    private boolean isReady() {
        if (Thread.currentThread().isInterrupted() || (last != null && !last.isDone())) {
            return false;
        }
        synchronized (turn) {
            return loader.isReady();
        }
    }

    private void complete(Take take) {
        Batch<?> batch = null;
        try {
            synchronized (turn) {
                if (loader.hasNext()) {
                    batch = loader.take();
                }
            }
        } catch (RuntimeException | Error e) {
            take.completeExceptionally(e);
            return;
        }
        take.complete(batch);
    }

    /** Passes over the next batch. Returns where the one after it begins. */
    LoaderState skip() {
        synchronized (turn) {
            loader.skip();
            return loader.state();
        }
    }

    @Override
    public void close() {
        Take underWay = last;
        if (underWay != null) { // The loader is not free before it has ended.
            underWay.cancel(true);
        }
        synchronized (turn) {
            loader.close();
        }
    }
}
