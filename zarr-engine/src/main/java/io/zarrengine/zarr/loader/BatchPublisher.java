package io.zarrengine.zarr.loader;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;

/**
 * Delivers the batches of a loader to one subscriber, on a thread of its own.
 *
 * <p>Owner: the loader, until the subscription ends; then this closes the loader. Threads: any.
 *
 * @see <a href="https://github.com/reactive-streams/reactive-streams-jvm#specification">Reactive
 *     Streams, the rules of publishers and subscriptions</a>
 */
final class BatchPublisher<T> implements Flow.Publisher<Batch<T>> {
    private final Loader<T> loader;
    private final int openMax;
    private long demand; // guarded by this, as all below
    private int open; // batches that the subscriber has not closed
    private boolean isCancelled;
    private IllegalArgumentException misuse; // of the subscription; null: none
    private Thread thread; // null: nobody has subscribed

    BatchPublisher(Loader<T> loader, int openMax) {
        if (openMax < 1) {
            throw new IllegalArgumentException(openMax + " open batches: at least 1 is needed");
        }
        this.loader = loader;
        this.openMax = openMax;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super Batch<T>> subscriber) {
        Objects.requireNonNull(subscriber, "the subscriber is null");
        Thread own =
                Thread.ofPlatform()
                        .daemon()
                        .name("zarr-engine-loader")
                        .unstarted(() -> run(subscriber));
        synchronized (this) {
            if (thread == null && !isCancelled) {
                thread = own;
                own.start();
                return;
            }
        }
        subscriber.onSubscribe(new NoSubscription());
        subscriber.onError(
                new IllegalStateException("the loader is closed, or has another subscriber"));
    }

    private void run(Flow.Subscriber<? super Batch<T>> subscriber) {
        try (loader) {
            subscriber.onSubscribe(new OwnSubscription());
            deliver(subscriber);
        }
    }

    private void deliver(Flow.Subscriber<? super Batch<T>> subscriber) {
        while (loader.hasNext()) {
            Batch<T> batch;
            try {
                if (!awaitDemand()) {
                    return;
                }
                batch = loader.take(this::batchClosed);
            } catch (RuntimeException | Error e) {
                if (!isCancelled()) {
                    subscriber.onError(e);
                }
                return;
            }
            subscriber.onNext(batch);
        }
        if (!isCancelled()) {
            subscriber.onComplete();
        }
    }

    /** Waits until the subscriber may get a batch. Returns false if it wants no more. */
    private synchronized boolean awaitDemand() {
        while (!isCancelled && misuse == null && (demand == 0 || open == openMax)) {
            try {
                wait();
            } catch (InterruptedException e) {
                if (!isCancelled) {
                    throw (CancellationException)
                            new CancellationException("interrupted").initCause(e);
                }
            }
        }
        if (isCancelled) {
            return false;
        }
        if (misuse != null) {
            throw misuse;
        }
        open++;
        if (demand != Long.MAX_VALUE) { // which is without limit
            demand--;
        }
        return true;
    }

    private synchronized void batchClosed() {
        open--;
        notifyAll();
    }

    private synchronized boolean isCancelled() {
        return isCancelled;
    }

    /**
     * Ends the subscription, and waits for the thread. From that thread itself, does not wait: it
     * delivers nothing more.
     */
    void end() {
        Thread own;
        synchronized (this) {
            isCancelled = true;
            own = thread;
            notifyAll();
        }
        if (own == null || own == Thread.currentThread()) {
            return;
        }
        own.interrupt();
        boolean interrupted = false;
        while (own.isAlive()) {
            try {
                own.join();
            } catch (InterruptedException e) { // Wait on: the thread uses the loader.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class OwnSubscription implements Flow.Subscription {
        @Override
        public void request(long batches) {
            synchronized (BatchPublisher.this) {
                if (batches <= 0) {
                    misuse = new IllegalArgumentException("a request of " + batches + " batches");
                } else {
                    demand = batches > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + batches;
                }
                BatchPublisher.this.notifyAll();
            }
        }

        @Override
        public void cancel() {
            synchronized (BatchPublisher.this) {
                if (isCancelled) {
                    return;
                }
                isCancelled = true;
                BatchPublisher.this.notifyAll();
                if (thread != Thread.currentThread()) {
                    thread.interrupt(); // It may wait for a batch.
                }
            }
        }
    }

    private record NoSubscription() implements Flow.Subscription {
        @Override
        public void request(long batches) {
            // The subscriber learns of the error.
        }

        @Override
        public void cancel() {
            // There is nothing to cancel.
        }
    }
}
