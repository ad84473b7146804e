package io.zarrengine.python;

import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderState;
import java.util.concurrent.CompletableFuture;

/**
 * A loader that Python takes batches from. Python waits for a batch as for a read, so that it sees
 * its signals meanwhile. One virtual thread at a time takes batches. Owner: Python, until {@link
 * #close}. Threads: any.
 */
final class LoaderSession implements AutoCloseable {
    private final Loader<?> loader;
    private final Object turn = new Object(); // held while the loader is used

    LoaderSession(Loader<?> loader) {
        this.loader = loader;
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

    /** Begins to take the next batch; its result is null after the last one. */
    CompletableFuture<Batch<?>> take() {
        Take take = new Take();
        take.thread = Thread.ofVirtual().unstarted(() -> complete(take));
        take.thread.start();
        return take;
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
        synchronized (turn) {
            loader.close();
        }
    }
}
